/** OpenSSL as a second reader of our certificates. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '#kernel/time'
import { freshFolder } from '../process/folder'

const hasOpenssl = Bun.which('openssl') !== null
if (!hasOpenssl) {
  if (process.env.CI) throw new Error('openssl is missing')
  console.warn('Skipped: what OpenSSL says of certificates, because it is not installed.')
}

/** Calls OpenSSL; undefined if it is not installed. */
export const openssl = (...words: string[]): string | undefined => {
  if (!hasOpenssl) return undefined
  const { stdout, stderr } = spawnSync('openssl', words, { encoding: 'utf8' })
  return stdout + stderr
}

/** What a client says that trusts the authority only: `OK`, or its objection. Undefined without OpenSSL. */
export function verdict(cert: string, authority: string, at?: Instant): string | undefined {
  const folder = freshFolder()
  const paths = { cert: join(folder, 'cert.pem'), authority: join(folder, 'authority.pem') }
  writeFileSync(paths.cert, cert)
  writeFileSync(paths.authority, authority)
  const when = at === undefined ? [] : ['-attime', `${Math.floor(at / 1_000_000)}`]
  const output = openssl('verify', '-x509_strict', ...when, '-CAfile', paths.authority, paths.cert)
  return output === undefined || /: OK$/m.test(output) ? output && 'OK' : /lookup: (.*)/.exec(output)?.[1]
}
