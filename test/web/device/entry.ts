/** What a tab of the app does with its device, as one script without pages (`tab.ts` runs it). */
import { fetchCopy } from '#web/app/device/copies'
import { drafts, followDrafts, readDrafts } from '#web/app/device/draftList'
import { openDraft } from '#web/app/device/drafts'
import { followNotices, markNoticesRead, notices } from '#web/app/device/notices'
import { discard, entries, othersWaiting, readQueue, reopen, sendNow, watchQueue } from '#web/app/device/queue'
import { readPerson } from '#web/app/device/readPerson'
import { currentPerson, currentTranslator, sessionEnded } from '#web/app/device/request'
import { followSession, removeOrphanedFiles, signIn, signOut } from '#web/app/device/session'

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
