import { sendAppointmentReminders } from '#conduct/appointments/reminders'
import { tellTeamLater } from '#conduct/messages/teamMail'
import { sendNextNotifications } from '#conduct/notifications/send'
import { hashNextPasswords } from '#conduct/participants/pendingPasswords'
import { aiQueryTask } from '#conduct/queries/automatic/endpoint'
import { hasUnexamined, raiseAutomatic } from '#conduct/queries/automatic/raise'
import { sendDueNotifications } from '#conduct/responses/notifications'
import { recalculateDue } from '#conduct/timeline/progress'
import { backgroundRecalculation } from '#conduct/timeline/recalculation'
import { sendReminders } from '#conduct/timeline/sendReminders'
import type { Services } from '#http/services'
import { tellReaders } from '#office/siteMessages/mail'
import type { BackgroundTask } from './background'
import {
  deletedFiles,
  expiredFiles,
  expiredSessions,
  expiredSetupLinks,
  expiredStageLinks,
  interruptedUploads,
  oldAttempts,
  oldIdempotencyKeys,
  surplusAttempts,
  unusedExports,
  unusedUploads,
} from './removal'

/** Participants per commit. */
const PAGE = 50

/** All background tasks, in the order in which they run. */
export function backgroundTasks(services: Services): readonly BackgroundTask[] {
  const { db } = services
  const recalculatePage = backgroundRecalculation(db)
  return [
    {
      name: 'progress',
      every: 1,
      run: ({ commit }, now) => commit(() => recalculateDue(db, now)),
    },
    {
      name: 'progress after a change of configuration',
      every: 1,
      run: ({ commit }, now) => commit(() => recalculatePage(now)),
    },
    {
      name: 'reminders and notices',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => sendReminders(db, now, PAGE))) === PAGE,
    },
    {
      name: 'reminders of events and meetings',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => sendAppointmentReminders(services, now, PAGE))) === PAGE,
    },
    {
      name: 'notifications after submissions',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => sendDueNotifications(db, now, PAGE))) === PAGE,
    },
    {
      name: 'e-mails about messages of participants',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => tellTeamLater(db, now, PAGE))) === PAGE,
    },
    {
      name: 'e-mails about messages of sites',
      every: 1,
      run: ({ commit }, now) => commit(() => tellReaders(db, now, PAGE)),
    },
    {
      name: 'notifications to many',
      every: 1,
      run: ({ commit }, now) => commit(() => sendNextNotifications(db, now, PAGE)),
    },
    {
      name: 'automatic queries',
      every: 5,
      run: async ({ commit }, now) => hasUnexamined(db) && (await commit(() => raiseAutomatic(db, now, 25))),
    },
    { name: 'passwords of new participants', every: 1, run: hashNextPasswords },
    { name: 'automatic queries by the AI endpoint', every: 5, run: aiQueryTask(services) },
    interruptedUploads,
    unusedExports,
    unusedUploads,
    expiredFiles,
    deletedFiles,
    oldIdempotencyKeys,
    expiredSessions,
    expiredSetupLinks,
    expiredStageLinks,
    oldAttempts,
    surplusAttempts,
  ]
}
