/** The names and addresses by which a server is reached: those that its certificate must contain. */
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { bareHost, isWildcardAddress } from '#kernel/address'
import { isInNetworks, networkFrom } from '#kernel/networks'
import type { Config } from '#server/config/settings'

/**
 * Names and networks for which every authority that Trialbox makes may sign, besides those of its machine: a machine gets new addresses, and
 * moves. They mean something in a local network only (RFC 1918, 4193, 6598, 6762, 8375, and ICANN's `internal`).
 */
const LOCAL = [
  ...['localhost', 'local', 'internal', 'home.arpa'],
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
]

const isName = (name: string): boolean => isIP(name) !== 0 || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)

/** The machine's addresses that others can use, without loopback and link-local addresses. */
export const machineAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe80|169\.254)/i.test(address))
    .map(({ address }) => address)

/** Names that the certificate must contain. IPv6 addresses of the machine are not among them: many change daily. */
export function requiredNames(config: Config): string[] {
  const addresses = machineAddresses().filter((address) => isIP(address) === 4)
  const chosen = [config.host, config.publicUrl && bareHost(new URL(config.publicUrl).hostname)]
  const names = [
    ...chosen.filter((name) => name && !isWildcardAddress(name)),
    hostname(),
    'localhost',
    '127.0.0.1',
    '::1',
  ] as string[]
  return [...new Set([...names, ...addresses].map((name) => name.toLowerCase()))].filter(isName)
}

/** Names that a new certificate contains if its authority may sign them. */
export const wantedNames = (config: Config): string[] => [...new Set([...requiredNames(config), ...machineAddresses()])]

/** What a new authority may sign for: names with those below them, and networks such as `10.0.0.0/8`. */
export function permittedNames(config: Config): string[] {
  const own = wantedNames(config).filter((name) => !isPermitted(name, LOCAL))
  return [...LOCAL, ...own.map((name) => (isIP(name) ? `${name}/${isIP(name) === 4 ? 32 : 128}` : name))]
}

/** Whether an authority that is limited to `permitted` may sign for a name or an address (RFC 5280, 4.2.1.10). */
export function isPermitted(name: string, permitted: readonly string[]): boolean {
  if (!isIP(name)) return permitted.some((each) => name === each || name.endsWith(`.${each}`))
  const networks = permitted.flatMap((each) => networkFrom(each) ?? [])
  return isInNetworks(networks, name)
}
