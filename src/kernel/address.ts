import { isIP } from 'node:net'

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i.test(host)

/** Whether the address means all addresses of the machine. */
export const isWildcardAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** A host as a URL has it: an IPv6 address is in brackets. */
export const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

/** A host without the brackets that a URL puts around an IPv6 address. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

/** The 16-bit groups of an IPv6 address, without its zone; an IPv4 address at its end gives the last two. */
export function ipv6Groups(address: string): number[] {
  const plain = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number]
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [start = '', end] = plain.split('::')
  const read = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [first, last] = [read(start), read(end ?? '')]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/**
 * The network by which requests are limited. An IPv6 address is its /64, because a subscriber has all addresses of a /64; an
 * IPv4 address is itself, also if it is written as IPv6 (`::ffff:192.0.2.1`).
 */
export function networkOf(address: string | null): string {
  if (address === null || isIP(address) !== 6) return `${address}`
  const groups = ipv6Groups(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
