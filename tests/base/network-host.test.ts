import { isIP } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ipVersion, isLoopback, isNearby } from '../../engine/src/base/network-host.ts';

const of = (address: string) => new URL(`http://${address}/`).hostname;

describe('a host', () => {
  test.each(['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '127.1', '[::1]'])(
    '%s is this machine',
    (address) => {
      expect(isLoopback(of(address))).toBe(true);
    },
  );

  test.each(['127.0.0.1.evil.test', 'localhost.evil.test', 'notlocalhost', '10.0.0.1', '[::2]'])(
    '%s is not',
    (address) => {
      expect(isLoopback(of(address))).toBe(false);
    },
  );

  test.each([
    'localhost',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.0.1',
    '192.168.1.2',
    '169.254.1.1',
    '100.64.0.1',
    '[fd00::1]',
    '[fe80::1]',
    'ollama',
    'models.local',
    'gpu.lan',
    'llm.internal',
  ])('%s is nearby', (address) => {
    expect(isNearby(of(address))).toBe(true);
  });

  test.each([
    'api.openai.com',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '[2001:db8::1]',
    '10.example.com',
    'x.local.test',
  ])('%s is not', (address) => {
    expect(isNearby(of(address))).toBe(false);
  });
});

test.each(['127.0.0.1', '::1', '::2', '2001:db8::7', '0.0.0.0', '1.2.3', 'localhost', '', '::1 ', '[::1]'])(
  'the version of the address %j is what Node says',
  (address) => {
    expect(ipVersion(address)).toBe(isIP(address));
  },
);
