import { matchRule, namesTool } from '../config/rule/match-rule.ts';
import { bareAddress } from '../config/rule/bare-address.ts';
import { matchesArgument } from '../config/rule/match-argument.ts';
import { parseRule } from '../config/rule/parse-rule.ts';
import type { WorldTool } from '../tool/tool.ts';
import { actualArguments } from './actual-arguments.ts';
import type { Guard, Verdict } from './guard.ts';
import type { PermissionLayer } from './permissions.ts';

/** Addresses in a reason, at most. */
const MAX_SHOWN = 3;

/**
 * Asks about a mail to somebody who took no part in the thread of the run's mail, and whom no rule lists: text in a mail must not
 * choose who gets the next one. A rule of `allow` with patterns for addresses, `mail_send(to=*@company.com)`, is such a list; it
 * counts for all recipients of the calls that it matches. Every document whose permissions apply must list the address.
 */
export const recipientsGuard: Guard = {
  name: 'recipients',
  async check(call, { caller, layers, participants }) {
    const { tool } = call;
    if (!('recipients' in tool) || tool.recipients === undefined) return { decision: 'pass' };
    const { arguments: args, isKnown, error } = await actualArguments(call, caller);
    if (error !== undefined) return { decision: 'refuse', code: error.code, reason: error.message, hint: error.hint };
    if (!isKnown) return { decision: 'ask', reason: 'who would get this mail cannot be said before it is sent' };
    const thread = await participants();
    const recipients = tool.recipients.flatMap((name) => addressesOf(args[name]));
    const strangers = recipients.filter((recipient) => !thread.has(bareAddress(recipient) ?? ''));
    if (strangers.length === 0) return { decision: 'pass' };
    if (layers.length === 0) return askAbout(strangers, []);
    const names = tool.recipients;
    const allows = (rule: string) => matchRule(rule, tool.name, args, { mode: 'every', addresses: names });
    const unlisting = layers.filter((layer) => unlistedBy(layer, { names, strangers, counts: allows }).length > 0);
    if (unlisting.length === 0) return { decision: 'pass' };
    // Whom a rule for other calls lists is no news to a person who reads the card.
    const isAbout = (rule: string) => namesTool(rule, tool.name);
    const unknown = new Set(unlisting.flatMap((layer) => unlistedBy(layer, { names, strangers, counts: isAbout })));
    return askAbout(unknown.size > 0 ? strangers.filter((address) => unknown.has(address)) : strangers, unlisting);
  },
};

function addressesOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

/** Recipients outside the thread, and the rules that count as lists of them. */
interface Listing {
  readonly names: NonNullable<WorldTool['recipients']>;
  readonly strangers: readonly string[];
  readonly counts: (rule: string) => boolean;
}

/** The strangers that the rules of a document do not list. */
function unlistedBy({ permissions }: PermissionLayer, { names, strangers, counts }: Listing): string[] {
  const patterns = (permissions?.allow ?? []).filter(counts).flatMap((text) => {
    const rule = parseRule(text);
    return 'fault' in rule ? [] : rule.arguments.filter(({ name }) => names.includes(name));
  });
  const options = { mode: 'every', addresses: names } as const;
  const isListed = (address: string) =>
    patterns.some((pattern) => matchesArgument(pattern, { [pattern.name]: address }, options));
  return strangers.filter((address) => !isListed(address));
}

function askAbout(strangers: readonly string[], unlisting: readonly PermissionLayer[]): Verdict {
  const more = strangers.length - MAX_SHOWN;
  const shown = strangers.slice(0, MAX_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const reason = `no rule lists ${shown}, who took no part in the thread of the run's mail`;
  const rules = unlisting.map(({ kind, id, isNewest }) => ({ kind, id, isNewest, list: 'permissions.allow' }));
  return { decision: 'ask', reason, rules };
}
