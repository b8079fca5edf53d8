/** Which drafts there are on the device, as every tab sees them. */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import { allOf, readable } from './database'
import { personNow } from './request'
import { channelOf } from './tabs'

type Listed = { occurrence: string; keptAt: string }
const list = signal<readonly Listed[]>([])

/** The drafts of the person who is signed in. */
export const drafts: ReadonlySignal<readonly Listed[]> = list

/** Reads the list of drafts again. */
export async function readDrafts(): Promise<void> {
  const who = personNow.value?.who
  const all = who === undefined ? [] : await readable('drafts', allOf(who))
  if (who === personNow.value?.who) list.value = all.map(({ occurrence, keptAt }) => ({ occurrence, keptAt }))
}

const channel = channelOf<'changed'>('drafts')

/** Follows what other tabs do. Call it once. */
export function followDrafts(): void {
  channel.follow(() => void readDrafts().catch(() => undefined))
}

/** Reads the list of drafts again, and lets other tabs do so. */
export async function draftsChanged(): Promise<void> {
  channel.tell('changed')
  await readDrafts().catch(() => undefined)
}
