/** What a tab of the app does with its device, as one script without pages (`tab.ts` runs it). */
import { fetchCopy } from '#web/participant/device/copies'
import { drafts, followDrafts, readDrafts } from '#web/participant/device/draftList'
import { openDraft } from '#web/participant/device/drafts'
import { followNotices, markNoticesRead, notices } from '#web/participant/device/notices'
import { discard, entries, othersWaiting, readQueue, reopen, sendNow, watchQueue } from '#web/participant/device/queue'
import { readPerson } from '#web/participant/device/readPerson'
import { currentPerson, currentTranslator, sessionEnded } from '#web/participant/device/request'
import { followSession, removeOrphanedFiles, signIn, signOut } from '#web/participant/device/session'

/** As the app begins (`app.tsx`). */
async function begin(): Promise<void> {
  followSession()
  await readPerson()
  await Promise.all([readDrafts(), readQueue()])
  watchQueue()
  void removeOrphanedFiles().catch(() => undefined)
  followDrafts()
  followNotices()
}

const device = {
  ...{ begin, openDraft, drafts, readDrafts, discard, entries, othersWaiting, readQueue, reopen, sendNow },
  ...{ notices, markNoticesRead, fetchCopy, personNow: currentPerson, sessionEnded, signIn, signOut },
}

export type Device = typeof device

/** Given by `tab.ts`. */
declare const ready: (device: Device) => void

currentTranslator.value = { language: 'en', t: (...given) => given[0] }
ready(device)
