import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../base/worker-pool.ts';
import { readMailFile } from './mail-file.ts';
import type { Attachment, MailContent, MailFacts, MailSummary, ParsedMail, RawSource } from '../mail.ts';
import { namesRemoteImages } from '../html/remote-images.ts';
import { identityOf, readAttachment, readInlineImages, readMail, readMailLightly } from './parse-mail.ts';

export type MailJob =
  | {
      readonly kind: 'parse';
      readonly source: RawSource;
      readonly facts: MailFacts;
      readonly maxBytes: number;
      readonly lightly: boolean;
    }
  | { readonly kind: 'attachment'; readonly raw: Uint8Array; readonly index: number }
  | { readonly kind: 'html'; readonly html: string; readonly images: boolean; readonly raw?: Uint8Array }
  | { readonly kind: 'markdown'; readonly text: string; readonly images: boolean }
  | { readonly kind: 'remoteImages'; readonly html: string };

export interface AttachmentFile {
  readonly meta: Attachment;
  readonly bytes: Uint8Array;
}

export type MailResult = ParsedMail | AttachmentFile | string | boolean | undefined;

/** Loaded at first use: it is a third of a worker's code, and most workers only parse. */
const sanitiser = () => import('../html/sanitize.ts');

async function work(job: MailJob): Promise<MailResult> {
  switch (job.kind) {
    case 'parse':
      return parse(job);
    case 'attachment': {
      const file = await readAttachment(job.raw, job.index);
      // A copy of its own: a view would transfer the whole mail, and a slice of Node's buffer pool cannot be
      // transferred.
      return file && { meta: file.meta, bytes: new Uint8Array(file.bytes) };
    }
    case 'html': {
      const { safeHtml } = await sanitiser();
      return safeHtml({
        html: job.html,
        images: job.images,
        ...(job.raw && /cid:/i.test(job.html) && { cid: await readInlineImages(job.raw) }),
      });
    }
    case 'markdown': {
      const { safeMarkdown } = await sanitiser();
      return safeMarkdown(job.text, { images: job.images });
    }
    case 'remoteImages':
      return namesRemoteImages(job.html);
    default:
      return job satisfies never;
  }
}

async function parse({ source, facts, maxBytes, lightly }: Extract<MailJob, { kind: 'parse' }>): Promise<ParsedMail> {
  const raw = source.kind === 'bytes' ? source.bytes : readMailFile(source, maxBytes);
  const { summary, content, notes } = lightly ? await readMailLightly(raw, facts) : await readMail(raw, facts);
  return {
    ...jsonOf(summary, content),
    sha256: identityOf(raw),
    raw,
    facts: {
      messageId: summary.messageId,
      inReplyTo: summary.inReplyTo,
      references: summary.references,
      threadId: summary.threadId,
      subject: summary.subject,
      from: summary.from[0]?.address ?? '',
      date: summary.date,
      autoSubmitted: summary.autoSubmitted,
      list: summary.list,
      own: summary.own,
    },
    notes,
  };
}

/** The JSON texts of a mail. Each part is written once: what filters read is half of what is stored. */
function jsonOf(summary: MailSummary, content: MailContent): Pick<ParsedMail, 'summary' | 'content' | 'subject'> {
  const { headers, bodyText, ...rest } = content;
  const mail = JSON.stringify(summary);
  const read = `"headers":${JSON.stringify(headers)},"bodyText":${JSON.stringify(bodyText)}`;
  return { summary: mail, content: `{${read},${JSON.stringify(rest).slice(1)}`, subject: `{"mail":${mail},${read}}` };
}

function transferOf(result: MailResult): ArrayBuffer[] {
  if (typeof result !== 'object') return [];
  const bytes = 'raw' in result ? result.raw : result.bytes;
  return bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

serveJobs(parentPort, work, transferOf);
