import { expect, test } from 'vitest';
import { agreedWish } from '../../../engine/src/run/pursuit/agreement.ts';

test.each([
  ['Yes', 'Order the flyers'],
  ['Ja, gerne!', 'Order the flyers'],
  ['D’accord', 'Order the flyers'],
  ['👍', 'Order the flyers'],
  ['Yes, but ask for a discount', 'Order the flyers. Yes, but ask for a discount'],
  ['Order paper', 'Order paper'],
  ['No', 'No'],
  ['Please do not', 'Please do not'],
  ['Ok, no', 'Ok, no'],
  ['Simon knows', 'Simon knows'],
])('the answer "%s" to the proposal to order the flyers wants "%s"', (answer, wish) => {
  expect(agreedWish('Order the flyers', ` ${answer} `)).toBe(wish);
});
