/** A service without a socket, in a directory of its own, for measurements whose clock is moved. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { type Instant, systemClock } from '#kernel/time'
import { openService } from '#server/service'
import { program } from '#start/program'

/** Opens it, with a team and the key of its owner. `close` removes the directory. */
export function ownService() {
  const directory = mkdtempSync(join(tmpdir(), 'trialbox-bench-'))
  let ahead = 0
  const clock = { now: () => systemClock.now() + ahead }
  const service = openService(program, {
    storageKey: 'sixteen or more bytes',
    directory,
    clock,
    publicUrl: 'http://localhost',
    version: '0.0.0+bench',
    fault: (reason, about) => console.error(about, reason),
  })
  const { services } = service
  const { db } = services
  const { user, team } = insertOwner(db, {
    email: 'a@b.org',
    name: 'A',
    team: 'T',
    passwordHash: null,
    now: clock.now(),
  })
  const { key } = insertApiKey(db, { user, name: 'bench', now: clock.now() })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }

  /** Sends a request as the owner. Returns the body. @throws an error unless it succeeds */
  async function call<T = { _id: string }>(method: string, path: string, body?: unknown): Promise<T> {
    const content = body === undefined ? '' : JSON.stringify(body)
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { ...headers, 'Content-Length': `${content.length}` },
      ...(content ? { body: content } : {}),
    })
    const response = await service.handle(request, '192.0.2.1')
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text)
  }

  return {
    ...{ service, services, db, clock, team, headers, call },
    /** Moves the clock forward, by microseconds. */
    advance: (by: Instant): void => void (ahead += by),
    close(): void {
      service.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
