import { expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { readAddresses } from '../../../engine/src/mail/send/addresses.ts';

test('the error of a wrong address has no example address, which privacy would make a placeholder that the model may use', () => {
  let error: unknown;
  try {
    readAddresses(['nobody'], 'to');
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(EngineError);
  expect(error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('"nobody"') as string });
  expect((error as EngineError).hint).not.toContain('@');
});
