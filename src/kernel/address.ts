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
