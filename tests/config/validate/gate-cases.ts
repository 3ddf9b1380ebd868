import { director, type ProblemCase } from '../problem-cases.ts';

const gate = (tools: string) => director(`guards: [{ kind: needsTime, tools: ${tools} }]\n`);

/** Gates before tools. */
export const GATES: readonly ProblemCase[] = [
  {
    name: 'gates before tools, an alias and a pattern',
    files: gate('[mail_send, read_email, mail_*, lookup]'),
    found: [],
  },
  {
    name: 'a gate before a misspelt tool',
    files: gate('[mail_snd]'),
    found: ['directors/boss.yaml:3:37 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "mail_send"?',
  },
  {
    name: 'a gate before a family',
    files: gate('[mail]'),
    found: ['directors/boss.yaml:3:37 CONFIG_UNKNOWN_TOOL'],
    says: 'for the whole family write "mail_*"',
  },
  {
    name: 'a gate before nothing',
    files: gate('[calender_*]'),
    found: ['directors/boss.yaml:3:37 CONFIG_GLOB_UNMATCHED'],
    says: 'this gate stands before nothing',
  },
  {
    name: 'a gate of an unknown kind',
    files: director('guards: [{ kind: needsPlace, tools: [mail_send] }]\n'),
    found: ['directors/boss.yaml:3:18 CONFIG_VALUE'],
    says: 'needsTime',
  },
  {
    name: 'drafts that are sent unasked, with both keys',
    files: director(
      'tools: [mail_send]\nmode: objective\nuntrusted: { act: ["mail_send(to=@thread)"] }\nobjective: { sendDrafts: allow }\n',
    ),
    found: [],
  },
  {
    name: 'drafts that are sent unasked, with one key',
    files: director('mode: objective\nuntrusted: { act: [mail_label] }\nobjective: { sendDrafts: allow }\n'),
    found: ['directors/boss.yaml:5:26 CONFIG_VALUE'],
    says: 'needs mail_send under untrusted.act',
  },
  {
    name: 'checks of claims',
    files: director(
      'checks: [{ kind: claims, claim: mail-sent, needs: mail_send }, { kind: claims, claim: file-written, otherwise: remove }]\n',
    ),
    found: [],
  },
  {
    name: 'a check that needs a misspelt tool',
    files: director('checks: [{ kind: claims, claim: mail-sent, needs: mail_snd }]\n'),
    found: ['directors/boss.yaml:3:51 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "mail_send"?',
  },
  {
    name: 'a check that needs a misspelt tool of several',
    files: director('checks: [{ kind: claims, claim: mail-sent, needs: [mail_send, mail_snd] }]\n'),
    found: ['directors/boss.yaml:3:63 CONFIG_UNKNOWN_TOOL'],
  },
  {
    name: 'a check that needs a family',
    files: director('checks: [{ kind: claims, claim: mail-sent, needs: mail }]\n'),
    found: ['directors/boss.yaml:3:51 CONFIG_UNKNOWN_TOOL'],
    says: 'name one of its tools',
  },
  {
    name: 'a check that needs a tool which changes nothing',
    files: director('checks: [{ kind: claims, claim: mail-sent, needs: read_email }]\n'),
    found: ['directors/boss.yaml:3:51 CONFIG_VALUE'],
    says: '"mail_read" changes nothing outside Callsheet',
  },
  {
    name: 'free times in place of a mail',
    files: director('checks: [{ kind: claims, claim: mail-sent, otherwise: offer-free-times }]\n'),
    found: ['directors/boss.yaml:3:55 CONFIG_VALUE'],
    says: 'free times cannot stand in place of the claim "mail-sent"',
  },
];
