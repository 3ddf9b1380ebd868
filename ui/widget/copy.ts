import { attempt, showToast } from './toast.ts';

/** Copies text to the clipboard and shows a toast. */
export function copyText(text: string): void {
  void attempt(async () => {
    await navigator.clipboard.writeText(text);
    showToast('Copied.');
  });
}

/** Downloads bytes as a file. The browser never opens them in a tab. */
export function saveFile(name: string, bytes: BlobPart): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
