/** Networks of addresses: which addresses belong to the public internet, and which to a network that is named. */
import { isIP } from 'node:net'
import { ipv6Groups } from './address'

/** An address as a number. */
type AddressNumber = { version: 4 | 6; value: bigint }
/** The addresses whose first `bits` bits are those of `value`. */
export type Network = Readonly<AddressNumber & { bits: number }>

const SIZE = { 4: 32, 6: 128 } as const

const joinParts = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((value, part) => (value << bits) | BigInt(part), 0n)

function addressNumber(address: string): AddressNumber | undefined {
  const plain = address.replace(/%.*$/, '')
  const version = isIP(plain)
  if (version === 4) return { version, value: joinParts(plain.split('.').map(Number), 8n) }
  return version === 6 ? { version, value: joinParts(ipv6Groups(plain), 16n) } : undefined
}

/** Reads a network such as `10.1.0.0/16`, or an address alone; undefined if it is neither, or has bits after its length. */
export function networkFrom(text: string): Network | undefined {
  const [, address = '', length] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const number = addressNumber(address)
  if (!number) return undefined
  const size = SIZE[number.version]
  const bits = length === undefined ? size : Number(length)
  if (bits > size || number.value % (1n << BigInt(size - bits)) !== 0n) return undefined
  return Object.freeze({ ...number, bits })
}

const networksFrom = (...texts: string[]): Network[] => texts.map((text) => networkFrom(text)!)

const contains = (network: Network, { version, value }: AddressNumber): boolean =>
  network.version === version && (value ^ network.value) >> BigInt(SIZE[version] - network.bits) === 0n

/** IPv6 addresses that stand for the IPv4 address in their last 32 bits: mapped ones, and those of NAT64 (RFC 6052). */
const TRANSLATED = networksFrom('::ffff:0:0/96', '64:ff9b::/96')

/** An address, or the IPv4 address that it stands for. */
function translatedAddress(address: string): AddressNumber | undefined {
  const number = addressNumber(address)
  const isTranslated = number && TRANSLATED.some((network) => contains(network, number))
  return isTranslated ? { version: 4, value: number.value & 0xffff_ffffn } : number
}

/**
 * Not public: the special-purpose registries of IANA, and the address at which machines of Azure find the service of their host.
 * The metadata of other clouds is at link-local, shared and private addresses.
 */
const SPECIAL = networksFrom(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16'],
  // Tunnels (2001::/32 of Teredo, 2002::/16 of 6to4) lead to IPv4 addresses that nobody has checked.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
)

/** The only part of IPv6 from which public addresses are given. */
const [GLOBAL] = networksFrom('2000::/3') as [Network]

/** Whether an address belongs to the public internet. An IPv6 address that stands for an IPv4 address is judged as that. */
export function isPublicAddress(address: string): boolean {
  const number = translatedAddress(address)
  if (!number || SPECIAL.some((network) => contains(network, number))) return false
  return number.version === 4 || contains(GLOBAL, number)
}

/** Whether an address belongs to one of these networks. */
export function isInNetworks(networks: readonly Network[], address: string): boolean {
  const [own, number] = [addressNumber(address), translatedAddress(address)]
  return networks.some((network) => (own && contains(network, own)) || (number && contains(network, number)))
}
