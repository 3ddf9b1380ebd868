import { attempt, showToast } from './toast.ts';

/** Puts text on the clipboard and says so. */
export function copyText(text: string): void {
  void attempt(async () => {
    await navigator.clipboard.writeText(text);
    showToast('Copied.');
  });
}

/** Hands bytes to the browser as a file to save. They are never opened in a tab. */
export function saveFile(name: string, bytes: BlobPart): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
