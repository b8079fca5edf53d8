/** Reads the texts of new versions in the background, each once, and puts their words into the index. */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import { perform } from '#jobs/perform'
import { Problem } from '#kernel/problem'
import { type Instant, MINUTE, SECOND } from '#kernel/time'
import {
  indexVersion,
  insertText,
  isUnchanged,
  textByKey,
  textOfSameBytes,
  updateText,
  type WaitingVersion,
  waitingVersions,
} from '#office/files/words/store'
import { readFileTexts } from './job'
import { textKindOf } from './kinds'
import { MAX_DOCUMENTS, type TextOutcome } from './task'

/** Versions that are looked at together, and how much text is put into the index in one commit, in UTF-16 units. */
const PAGE = 50
const TEXT = 100_000
/** The bytes of the documents of one task, if it has several. */
const BYTES = 8 << 20
/** After so many failures of the machine, the text of a document is given up. */
const MAX_ATTEMPTS = 6
const LONGEST_WAIT = 60 * MINUTE
const BUSY = 10 * SECOND
/** What the server was doing, for its log. */
const ABOUT = 'reading the texts of documents'
const GIVEN_UP = 'The server could not read the document. Its log says more.'

/** Stores what became of a text, and puts its words into the index: once, unless the version was deleted meanwhile. */
function storeOutcome(db: Db, row: WaitingVersion, outcome: Exclude<TextOutcome, { state: 'unavailable' }>): void {
  if (!isUnchanged(db, row)) return
  const { state } = outcome
  const text = state === 'read' ? outcome.text : ''
  const key = state === 'read' ? insertText(db, text, outcome.isCut) : null
  updateText(db, row.version, { state, problem: state === 'failed' ? outcome.problem : null, text: key, dueAt: null })
  indexVersion(db, row, text)
}

/** The text of a version if it is known without reading: the document has no text, or the same bytes were read before. */
function knownText(
  db: Db,
  row: WaitingVersion,
): (Pick<WaitingVersion, 'state' | 'text'> & { problem?: string | null }) | undefined {
  if (row.state !== 'waiting') return row
  const kind = textKindOf(row)
  if (!kind) return { state: 'none', text: null }
  const same = textOfSameBytes(db, row, MAX_ATTEMPTS)
  return same && textKindOf(same) === kind ? same : undefined
}

/** Puts versions into the index whose text is known. Returns whether more may be left. */
function storeKnown(db: Db, now: Instant): boolean {
  const rows = waitingVersions(db, now, PAGE)
  let [stored, length] = [0, 0]
  for (const row of rows) {
    const known = knownText(db, row)
    if (!known) continue
    const { state, text: key, problem } = known
    const text = key === null ? '' : textByKey(db, key)
    updateText(db, row.version, { state, text: key, dueAt: null, ...(problem === undefined ? {} : { problem }) })
    indexVersion(db, row, text)
    stored++
    length += text.length
    if (length >= TEXT) return true
  }
  return stored > 0 && rows.length === PAGE
}

/** The versions that are read next, in one process. One whose reading has failed is read alone, so that no other fails with it. */
function nextBatch(db: Db, now: Instant): WaitingVersion[] {
  const batch: WaitingVersion[] = []
  let bytes = 0
  for (const row of waitingVersions(db, now, PAGE)) {
    if (knownText(db, row) || batch.some(({ trial, sha256 }) => trial === row.trial && sha256 === row.sha256)) continue
    if (batch.length && (row.attempts > 0 || bytes + row.size > BYTES)) continue
    bytes += row.size
    batch.push(row)
    if (row.attempts > 0 || batch.length === MAX_DOCUMENTS) break
  }
  return batch
}

/** After a failure of the machine: the version is tried again later, or given up. */
function postpone(db: Db, row: WaitingVersion, now: Instant): void {
  if (!isUnchanged(db, row)) return
  const attempts = row.attempts + 1
  updateText(db, row.version, { attempts, dueAt: now + Math.min(MINUTE * 2 ** row.attempts, LONGEST_WAIT) })
  if (attempts >= MAX_ATTEMPTS) storeOutcome(db, row, { state: 'failed', problem: GIVEN_UP })
}

/** Reads these versions. Returns false if the lane has no room, so that this should wait. */
async function readBatch(services: Services, batch: readonly WaitingVersion[]): Promise<boolean> {
  const { db, commit, clock } = services
  const files = batch.map((row) => ({ storedName: row.storedName, kind: textKindOf(row)! }))
  const outcomes: TextOutcome[] = []
  const onOutcome = (value: object) => void outcomes.push(value as TextOutcome)
  const reason: unknown = await perform(services, readFileTexts, { files }, 'file texts', onOutcome).then(
    () => undefined,
    (error) => error,
  )
  for (const [at, outcome] of outcomes.entries()) {
    const row = batch[at]!
    if (outcome.state === 'unavailable')
      services.fault(new Error(`The upload ${row.storedName} cannot be read from the disk.`), ABOUT)
    await commit((): unknown =>
      outcome.state === 'unavailable' ? postpone(db, row, clock.now()) : storeOutcome(db, row, outcome),
    )
  }
  const failed = batch[outcomes.length]
  if (reason === undefined || !failed) return true
  if (reason instanceof Problem && reason.status === 503) return false
  if (!(reason instanceof Problem)) services.fault(reason, ABOUT)
  await commit((): unknown => {
    if (!(reason instanceof Problem)) return postpone(db, failed, clock.now())
    if (batch.length === 1) return storeOutcome(db, failed, { state: 'failed', problem: reason.message })
    // It took too much together with others: it gets a process of its own.
    return updateText(db, failed.version, { attempts: failed.attempts + 1 })
  })
  return true
}

/** Makes a function for the background. It begins to read documents and does not wait for the end of it. */
export function createTextReader(): (services: Services, now: Instant) => Promise<boolean> {
  let isReading = false
  let notBefore = 0

  async function readAll(services: Services, first: readonly WaitingVersion[]): Promise<void> {
    const { db, clock } = services
    for (let batch = first; batch.length; batch = nextBatch(db, clock.now()))
      if (!(await readBatch(services, batch))) return void (notBefore = clock.now() + BUSY)
  }

  return async (services, now) => {
    const { db, commit } = services
    if (!waitingVersions(db, now, 1).length) return false
    const hasMore = await commit(() => storeKnown(db, now))
    const batch = isReading || now < notBefore ? [] : nextBatch(db, now)
    if (batch.length) {
      isReading = true
      void readAll(services, batch)
        .catch((reason) => {
          notBefore = services.clock.now() + MINUTE
          services.fault(reason, ABOUT)
        })
        .finally(() => {
          isReading = false
        })
    }
    return hasMore
  }
}
