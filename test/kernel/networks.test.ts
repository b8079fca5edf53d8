import { describe, expect, test } from 'bun:test'
import { isInNetworks, isPublicAddress, networkFrom } from '#kernel/networks'

describe('public addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  test.each(['::ffff:8.8.8.8', '64:ff9b::808:808'])('%s stands for one', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  test.each([
    ['this network', ['0.0.0.0', '0.1.2.3', '::']],
    ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
    ['loopback', ['127.0.0.1', '127.255.0.1', '::1']],
    ['link-local', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
    ['the metadata of clouds', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']],
    ['shared', ['100.64.0.1', '100.127.255.255']],
    [
      'documentation and benchmarks',
      ['192.0.2.1', '198.51.100.1', '203.0.113.9', '198.18.0.1', '2001:db8::1', '3fff::1'],
    ],
    ['multicast and reserved', ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', 'ff02::1', '4000::1']],
    [
      'IPv4 as IPv6',
      ['::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ],
    ['translated', ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1']],
    ['tunnels', ['2002:7f00:1::1', '2002:a00:1::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    ['no address', ['', 'localhost', '1.2.3', '0x7f.1', '1.2.3.4.5', '08.8.8.8']],
  ])('are not those of %s', (_, addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false])
  })
})

test.each([
  ['10.1.0.0/16', '10.1.255.255', '10.2.0.0'],
  ['10.1.2.3', '10.1.2.3', '10.1.2.4'],
  ['0.0.0.0/0', '255.1.1.1', '::1'],
  ['fd00:12::/32', 'fd00:12:ffff::1', 'fd00:13::1'],
  ['10.0.0.0/8', '::ffff:10.9.9.9', '::ffff:11.0.0.1'],
  ['127.0.0.1/32', '64:ff9b::127.0.0.1', '127.0.0.2'],
])('the network %s contains %s, and not %s', (text, inside, outside) => {
  const network = networkFrom(text)!
  expect(isInNetworks([network], inside)).toBe(true)
  expect(isInNetworks([network], outside)).toBe(false)
})

test.each([
  '',
  '10.1.0.0/33',
  '10.1.2.3/16',
  'fd00::/129',
  'fd00::1/64',
  'intranet',
  '10.0.0.0/',
  '10.0.0/8',
  '::1%eth0',
])('“%s” is no network', (text) => expect(networkFrom(text)).toBeUndefined())
