/** Which drafts there are on the device, as every tab sees them. */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import { personRange, readRecords } from './database'
import { currentPerson } from './request'
import { channelOf } from './tabs'

type DraftInfo = { occurrence: string; keptAt: string }
const list = signal<readonly DraftInfo[]>([])

/** The drafts of the person who is signed in. */
export const drafts: ReadonlySignal<readonly DraftInfo[]> = list

/** Reads the list of drafts again. */
export async function readDrafts(): Promise<void> {
  const who = currentPerson.value?.who
  const all = who === undefined ? [] : await readRecords('drafts', personRange(who))
  if (who === currentPerson.value?.who) list.value = all.map(({ occurrence, keptAt }) => ({ occurrence, keptAt }))
}

const channel = channelOf<'changed'>('drafts')

/** Follows what other tabs do. Call it once. A tab that was closed in the middle has told nobody, so a page that is shown looks again. */
export function followDrafts(): void {
  const again = () => void readDrafts().catch(() => undefined)
  channel.onMessage(again)
  document.addEventListener('visibilitychange', () => document.hidden || again())
}

/** Reads the list of drafts again, and lets other tabs do so. */
export async function notifyDraftsChanged(): Promise<void> {
  channel.post('changed')
  await readDrafts().catch(() => undefined)
}
