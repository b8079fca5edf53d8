/** Renews the certificate of a running server, and takes up one whose files were changed. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isFault } from '#kernel/fault'
import { DAY, type Instant } from '#kernel/time'
import type { Config } from '#server/config/settings'
import { type Certificate, certificateFor, RENEW_DAYS } from './certificate'
import { requiredNames } from './names'

const EVERY_MS = 60_000

export type Renewal = {
  /** The certificate that is shown now. */
  current(): Certificate
  /** Looks at once: for SIGHUP. Resolves when a changed certificate is shown. */
  look(): Promise<void>
  close(): void
}

type Hooks = {
  now(): Instant
  /** Shows it to new connections. Returns false if that takes a restart. */
  show(certificate: Certificate): boolean
  log(level: 'info' | 'warn' | 'error', line: string): void
}

/** The files that people change while the server runs. */
const filesOf = ({ tls }: Config, folder: string): string[] =>
  typeof tls === 'object' ? [tls.cert, tls.key] : [join(folder, 'installed.pem'), join(folder, 'authority.pem')]

/** Changes whenever a file is written, made or removed, and when its folder can be read again. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable'
  }
}

/**
 * Looks every minute whether another certificate is to be shown: because a file was changed, because the own one is to be renewed,
 * or because the machine has a new name or address. One that cannot be used is reported once, and the last one stays.
 */
export function watchCertificate(config: Config, folder: string, first: Certificate, hooks: Hooks): Renewal {
  const paths = filesOf(config, folder)
  let current = first
  let seen = ''
  let running: Promise<void> | undefined

  const files = () => paths.map(stateOf).join()
  /** What decides which certificate is shown, without the work of making one. */
  const state = (read = files()): string =>
    [
      read,
      ...(current.authority ? requiredNames(config) : []),
      current.expiresAt - hooks.now() > RENEW_DAYS * DAY,
      current.expiresAt > hooks.now(),
    ].join()

  async function replace(): Promise<void> {
    // As they were before they were read: what is written meanwhile is found the next time.
    const read = files()
    try {
      const next = await certificateFor(config, folder, hooks.now())
      if (!next) return
      // The same certificate can come with other certificates of authorities after it.
      const isNew = next.cert !== current.cert || next.key !== current.key
      if (isNew && !hooks.show(next)) {
        hooks.log('warn', 'There is a new certificate: start the server again to use it.')
        return
      }
      const reported = new Set(current.notices)
      current = next
      if (isNew) hooks.log('info', `shows the certificate ${next.fingerprint} to new connections`)
      for (const notice of next.notices) if (!reported.has(notice)) hooks.log('warn', notice)
    } catch (error) {
      if (!isFault(error)) throw error
      hooks.log('error', `${error.message} The server goes on with the certificate that it has.`)
    } finally {
      seen = state(read)
    }
  }

  const look = (): Promise<void> => {
    running ??= replace().finally(() => {
      running = undefined
    })
    return running
  }
  seen = state()
  const timer = setInterval(() => {
    if (!running && state() !== seen) void look()
  }, EVERY_MS)
  timer.unref()
  return { current: () => current, look, close: () => clearInterval(timer) }
}
