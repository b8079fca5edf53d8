/** The process: database, operations, workers, what happens by itself, and the socket they are served on. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { identifier } from './access/identify'
import { limiter } from './access/limits'
import { operations } from './app'
import { committer } from './db/commit'
import { drizzled, migrate, openSqlite } from './db/open'
import { refreshDue } from './features/timeline/progress'
import { openStorage, type StorageRoute } from './features/uploads/storage'
import type { House } from './house'
import { mount, type Noticed } from './http/mount'
import { pool } from './jobs/pool'
import { resumeJobs } from './jobs/queue'
import type { Clock } from './kernel/time'

export type ServiceOptions = {
  /** The data directory, which must exist. */
  directory: string
  clock: Clock
  publicUrl: string
  version: string
  /** Signs the links to files: at least 16 bytes, the same at every start. */
  storageKey: Uint8Array | string
  rateLimit?: number
  /** Told of every request once it is answered. */
  noticed?: (request: Noticed) => void
  /** Told of faults that no caller caused. */
  fault?: (reason: unknown, about: string) => void
}

export type Service = {
  house: House
  /** Answers one request. @param address where it came from */
  handle(request: Request, address: string | null): Promise<Response>
  /** Answers one request to `/storage/*`. */
  storage: StorageRoute
  /** Finishes what is in flight, empties the write-ahead log, closes the database. */
  close(): void
}

/** Opens the service on its data directory, without a socket. */
export function openService(options: ServiceOptions): Service {
  const { directory, clock, publicUrl, version, rateLimit } = options
  const places = {
    database: join(directory, 'trialbox.db'),
    exports: join(directory, 'exports'),
    files: join(directory, 'files'),
  }
  mkdirSync(places.exports, { recursive: true })
  mkdirSync(places.files, { recursive: true })
  const sqlite = openSqlite(places.database)
  migrate(sqlite)
  const db = drizzled(sqlite)
  const { commit, flush } = committer(sqlite)
  const workers = pool(() => new Worker(new URL('./jobs/worker.ts', import.meta.url).href), places, 1)
  const { storage, route } = openStorage({ places, key: options.storageKey, db, commit, clock, publicUrl, version })
  const house: House = {
    db,
    commit,
    clock,
    settle: (now) => {
      refreshDue(db, now, 100)
    },
    identify: identifier(db),
    limits: limiter(),
    pool: workers,
    storage,
    publicUrl,
    version,
    rateLimit,
    fault: options.fault ?? ((reason, about) => console.error(about, reason)),
  }
  const { handle } = mount(house, operations, options.noticed)
  resumeJobs(house)
  return {
    house,
    handle,
    storage: route,
    close() {
      flush()
      workers.close()
      sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
      sqlite.close()
    },
  }
}
