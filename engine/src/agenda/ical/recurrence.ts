import ICAL from 'ical.js';

/**
 * Takes care that following the rules (RRULE) of these components comes to an end: it throws once so many times were tried for
 * all of them together, some 10 to 40 µs each. Of itself ical.js tries days for ever where none fits, such as 31 February, and
 * its look at a whole zone does not even ask how many there are.
 */
export function limitRules(components: readonly ICAL.Component[], maxTries: number): void {
  let tries = 0;
  class EndingIterator extends ICAL.RecurIterator {
    override check_contracting_rules(): boolean {
      if (++tries > maxTries)
        throw new Error(
          `it is followed no further than ${maxTries} times that its rule may mean: ${String(this.rule)}`,
        );
      return super.check_contracting_rules();
    }
  }
  for (const property of components.flatMap((component) => component.getAllProperties('rrule'))) {
    const rule: unknown = property.getFirstValue();
    if (rule instanceof ICAL.Recur) rule.iterator = (dtstart) => new EndingIterator({ rule, dtstart });
  }
}
