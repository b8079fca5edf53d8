import { appendEntry, recordRemainingChanges } from '#audit/append'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import type { CopyOrigin } from '#http/services'
import type { Instant } from '#kernel/time'
import type { Channel } from '#outbox/status'
import { endQueuedMessages, holdQueuedMessages } from '#outbox/store'

/**
 * Lets a restored copy send again from now on, and enters that in the service's log. Messages that wait are not sent: the server that
 * the backup is of may have sent them, and those that the copy wrote meanwhile are of another time.
 * @param channels those with a sender; on the others messages stay for staff to hand over, also once there is a sender
 * @returns how many messages are not sent
 */
export const goLive = (db: Db, copy: CopyOrigin, channels: readonly Channel[], now: Instant): number =>
  runInTransaction(db, () => {
    const unsent = endQueuedMessages(db, channels) + holdQueuedMessages(db)
    appendEntry(db, {
      ...{ chain: 'service', createdAt: now, type: 'goLive', userType: 'system' },
      event: { ...copy, unsent },
    })
    recordRemainingChanges(db, now)
    return unsent
  })
