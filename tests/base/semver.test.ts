import { expect, test } from 'vitest';
import { isNewer } from '../../engine/src/base/semver.ts';

test.each([
  ['1.0.1', '1.0.0', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '10.0.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.1', '1.0.0', false],
  ['1.0.0-rc.2', '1.0.0-rc.1', true],
  ['1.0.0+build', '1.0.0', false],
  ['', '1.0.0', false],
  ['1.0.0', '', true],
])('version %j is above %j: %j', (a, b, expected) => {
  expect(isNewer(a, b)).toBe(expected);
});
