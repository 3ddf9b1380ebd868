import { describe, expect, test } from 'vitest';
import { redactRecording } from '../../../engine/src/replay/case/redact-case.ts';
import type { Recording, RoutedMail } from '../../../engine/src/replay/replay.ts';
import type { Recogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import type { PrivateKind } from '../../../engine/src/guard/privacy/private-span.ts';

/** Finds these values wherever they stand. */
function finding(values: Readonly<Record<string, PrivateKind>>): Recogniser {
  return {
    recognise: async (text) =>
      Object.entries(values).flatMap(([value, kind]) => {
        const start = text.indexOf(value);
        return start < 0 ? [] : [{ kind, text: value, start, end: start + value.length }];
      }),
    close: async () => {},
  };
}

function recordingOf(text: string): Recording {
  const call = { tool: 'mail_send', arguments: { text, role: 'Ada Ray' } };
  const toolCall = {
    ...{ id: 'call_1', type: 'function' as const },
    function: { name: 'mail_send', arguments: JSON.stringify({ text, mail: true }) },
  };
  const request = {
    ...{ provider: 'openai', model: 'gpt', tools: [], parameters: {} },
    messages: [{ role: 'user' as const, content: text }],
  };
  return {
    name: 'run_1',
    stimulus: { kind: 'message', directorId: 'desk', message: text },
    cassette: {
      ...{ at: '2026-11-02T10:00:00.000Z', unavailable: [] },
      answers: [
        {
          ...{ agentId: 'mail', request, latencyMs: 1 },
          answer: {
            ...{ stop: 'tool_calls', model: 'gpt' },
            message: { role: 'assistant', content: null, tool_calls: [toolCall] },
          },
        },
      ],
      calls: [{ ...call, result: { text }, latencyMs: 1 }],
    },
    world: { mails: [], memories: [], toolLists: [] },
    person: { decisions: [], answers: [] },
    expected: { runs: [], misses: [] },
  };
}

function mailFrom(name: string, address: string, text: string): RoutedMail {
  const summary = { from: [{ name, address }], to: [], cc: [], bcc: [], replyTo: [] };
  return { summary, content: { headers: [], text, html: '' } } as unknown as RoutedMail;
}

const SIGNED = 'Regards,\nAda Ray\nada-r@example.com\nDE02 1203 0000 0000 2020 51\n';

describe('redactRecording', () => {
  test('replaces names, addresses and account numbers after a line break, also in arguments', async () => {
    const recogniser = finding({
      'Ada Ray': 'person',
      'ada-r@example.com': 'email',
      'DE02 1203 0000 0000 2020 51': 'iban',
    });
    const text = JSON.stringify(await redactRecording(recordingOf(SIGNED), undefined, recogniser));
    for (const value of ['Ada', 'Ray', 'ada-r', 'DE02']) expect(text).not.toContain(value);
    expect(text).toContain('Regards,');
  });

  test('replaces names that begin or end with a letter beyond ASCII only as whole words', async () => {
    const recogniser = finding({ 'Özil Ökö': 'person' });
    const { stimulus } = await redactRecording(recordingOf('\nÖzil Ökö: Özilands'), undefined, recogniser);
    expect(stimulus).toMatchObject({ message: '\nRobin Vale: Özilands' });
  });

  test('keeps names of tools, roles and keys, and words in lower case, of a display name of everyday words', async () => {
    const text = 'the mail\nMail Delivery Subsystem';
    const mail = mailFrom('Mail Delivery Subsystem', 'mailer-daemon@example.com', text);
    const { cassette } = await redactRecording(recordingOf(text), mail, finding({}));
    const [answer] = cassette.answers;
    expect(cassette.calls[0]).toMatchObject({
      tool: 'mail_send',
      arguments: { text: 'the mail\nRobin Vale', role: 'Ada Ray' },
    });
    expect(answer).toMatchObject({ agentId: 'mail', request: { messages: [{ role: 'user' }] } });
    expect(answer?.answer?.message.tool_calls?.[0]?.function).toEqual({
      name: 'mail_send',
      arguments: '{"text":"the mail\\nRobin Vale","mail":true}',
    });
  });

  test('replaces a name in lower case where a recogniser finds it there', async () => {
    const recogniser = finding({ 'Ada Ray': 'person', 'ada': 'person' });
    const { stimulus } = await redactRecording(recordingOf('Ada Ray. hi ada'), undefined, recogniser);
    expect(stimulus).toMatchObject({ message: 'Robin Vale. hi Robin' });
  });

  test('empties files that calls made, since what is encoded in them cannot be replaced', async () => {
    const recording = recordingOf(SIGNED);
    const data = Buffer.from(SIGNED).toString('base64');
    const files = [{ label: 'Letter', mimeType: 'message/rfc822', encoding: 'base64' as const, data }];
    const cassette = { ...recording.cassette, calls: recording.cassette.calls.map((call) => ({ ...call, files })) };
    const redacted = await redactRecording({ ...recording, cassette }, undefined, finding({}));
    expect(redacted.cassette.calls).toMatchObject([{ files: [{ label: 'Letter', encoding: 'utf8', data: '' }] }]);
    expect(JSON.stringify(redacted.cassette)).not.toContain(data);
  });

  test('replaces the whole name before an address, also where only its first word is recognised', async () => {
    const recogniser = finding({ 'Miriam': 'person', 'client1@example.com': 'email' });
    const recording = recordingOf('The note is about Miriam Ray <client1@example.com>, and Ms Ray waits.');
    const text = JSON.stringify((await redactRecording(recording, undefined, recogniser)).cassette.calls[0]?.result);
    expect(text).toMatch(/about \w+ \w+ <[^>]+@example\.org>, and Ms \w+ waits\./);
    expect(text).not.toMatch(/Miriam|Ray|client1/);
  });
});
