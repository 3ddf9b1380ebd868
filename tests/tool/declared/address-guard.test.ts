import { describe, expect, test } from 'vitest';
import { isPublicAddress, permittedAddresses } from '../../../engine/src/tool/declared/address-guard.ts';

describe('addresses that an HTTP tool may reach', () => {
  test.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ...['100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001::1',
    ],
    ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'fd00:ec2::254', 'ff02::1', '100::1', 'nonsense', ''],
  ])('%s is not on the internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  const never = () => Promise.reject(new Error('nobody asks'));
  test.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://[::ffff:7f00:1]/',
  ])('%s is refused without a look-up', async (url) => {
    await expect(permittedAddresses(new URL(url), [], never)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      hint: expect.stringContaining('allowHosts'),
    });
  });

  test('one private address among public ones is enough to refuse', async () => {
    const mixed = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await expect(permittedAddresses(new URL('https://a.example/'), [], mixed)).rejects.toThrow('10.0.0.1');
    expect(await permittedAddresses(new URL('https://a.example/'), ['A.example'], mixed)).toHaveLength(2);
    await expect(permittedAddresses(new URL('https://a.example/'), ['a.example:8443'], mixed)).rejects.toThrow();
    expect(await permittedAddresses(new URL('https://a.example:8443/'), ['a.example:8443'], mixed)).toHaveLength(2);
  });
});
