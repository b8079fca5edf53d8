import { hostname } from 'node:os'
import { hostInUrl, isWildcardAddress } from '#kernel/address'
import { instantText } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { baseUrl, type Config, linksAreLocal } from '#server/config/settings'
import type { Certificate } from '#server/tls/certificate'
import { machineAddresses } from '#server/tls/names'

/** The addresses that a browser can use; the public one comes first. */
export function addresses(config: Config, port: number): string[] {
  const scheme = config.tls === 'off' ? 'http' : 'https'
  const hosts = isWildcardAddress(config.host)
    ? ['localhost', hostname(), ...machineAddresses().filter((each) => config.host === '::' || !each.includes(':'))]
    : [config.host]
  return [...new Set([baseUrl(config, port), ...hosts.map((host) => `${scheme}://${hostInUrl(host)}:${port}`)])]
}

/**
 * The text shown when the server accepts requests (docs/getting-started.md, "The first account"): where it listens,
 * where its data is, how to recognise its certificate, and on first start how to make the first account.
 * @param port the port that it listens on
 * @param setupUrl the one-time link for the first account, as long as there is none
 */
export function banner(
  config: Config,
  port: number,
  certificate: Certificate | undefined,
  setupUrl: string | undefined,
): string {
  const lines = [`Trialbox ${serviceVersion}`, '']
  addresses(config, port).forEach((address, n) => {
    lines.push(`  ${n ? '          ' : 'listening '} ${address}`)
  })
  lines.push(`  data       ${config.data}`)
  if (certificate) {
    lines.push(`  certificate until ${instantText(certificate.expiresAt).slice(0, 10)}, SHA-256 fingerprint`)
    lines.push(`             ${certificate.fingerprint}`)
    if (certificate.authority) {
      lines.push(
        '             Signed by the authority of this server. Devices trust it once, at /trust; its fingerprint is',
      )
      lines.push(`             ${certificate.authority.fingerprint}`)
    }
    for (const notice of certificate.notices) lines.push(`  attention  ${notice}`)
  }
  if (linksAreLocal(config)) {
    lines.push(`  links      in messages begin with ${baseUrl(config, port)} and work on this machine only:`)
    lines.push('             set --public-url to the address that people use.')
  }
  if (setupUrl) {
    lines.push('', 'There is no account yet. Make the first one here; the link works once, within an hour:', '')
    lines.push(`  ${setupUrl}`)
  }
  lines.push('', 'Stop with Ctrl+C. To see it with made-up data: trialbox demo (from the source: npm run demo).', '')
  return `${lines.join('\n')}\n`
}
