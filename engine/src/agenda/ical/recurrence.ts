import ICAL from 'ical.js';

/**
 * Limits the evaluation of the rules (RRULE) of these components: it throws after `maxTries` tried times in total, some
 * 10 to 40 µs each. ical.js itself tries days without end where none fits, such as 31 February, and its expansion of a
 * zone has no limit either.
 */
export function limitRules(components: readonly ICAL.Component[], maxTries: number): void {
  let tries = 0;
  class EndingIterator extends ICAL.RecurIterator {
    override check_contracting_rules(): boolean {
      if (++tries > maxTries)
        throw new Error(`a rule was not evaluated beyond ${maxTries} possible times: ${String(this.rule)}`);
      return super.check_contracting_rules();
    }
  }
  for (const property of components.flatMap((component) => component.getAllProperties('rrule'))) {
    const rule: unknown = property.getFirstValue();
    if (rule instanceof ICAL.Recur) rule.iterator = (dtstart) => new EndingIterator({ rule, dtstart });
  }
}
