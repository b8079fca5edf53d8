import { sendAppointmentReminders } from '#conduct/appointments/reminders'
import { notifyStaff } from '#conduct/heldEntries/notify'
import { notifyTeamsDue } from '#conduct/messages/teamMail'
import { sendNextNotifications } from '#conduct/notifications/send'
import { deleteNextBatch } from '#conduct/participants/deletionSteps'
import { hashNextPasswords } from '#conduct/participants/pendingPasswords'
import { aiQueryTask } from '#conduct/queries/automatic/endpoint'
import { hasUnexamined, raiseAutomatic } from '#conduct/queries/automatic/raise'
import { sendDueNotifications } from '#conduct/responses/notifications'
import { derivedValuesTask } from '#conduct/timeline/derivedValues'
import { recalculateDue } from '#conduct/timeline/progress'
import { backgroundRecalculation } from '#conduct/timeline/recalculation'
import { sendReminders } from '#conduct/timeline/sendReminders'
import { queueReminders, remindToConnect } from '#conduct/wearables/reminders'
import { wearableSync } from '#conduct/wearables/sync'
import { purgeExpired } from '#exchange/deletions/background'
import { purgeTrials } from '#exchange/deletions/trialPurge'
import type { Services } from '#http/services'
import { createTextReader } from '#office/files/texts/background'
import { createWordMaintenance } from '#office/files/words/maintenance'
import { startOrders } from '#office/incentives/orders'
import { hasClaims, payClaims } from '#office/incentives/rules/claims'
import { hasPayable, payWaiting } from '#office/incentives/rules/waitingPayments'
import { createInsightUpdater } from '#office/insights/trial/background'
import { createPackIndexMaintenance } from '#office/packs/index/maintenance'
import { deleteAbandoned } from '#office/packs/store'
import { notifyReaders } from '#office/siteMessages/mail'
import { collectEvents } from '#office/webhookDeliveries/collect'
import { createWebhookSender } from '#office/webhookDeliveries/send'
import { hasWebhookBehind } from '#office/webhooks/store'
import type { BackgroundTask } from './background'
import {
  abandonedConsentSessions,
  deletedFiles,
  endedJobs,
  expiredFiles,
  expiredReads,
  expiredSessions,
  expiredSetupLinks,
  expiredStageLinks,
  finishedDeliveries,
  interruptedUploads,
  oldAttempts,
  oldEmailChanges,
  oldIdempotencyKeys,
  oldPollVerifications,
  surplusAttempts,
  unusedExports,
  unusedUploads,
} from './removal'

/** Participants per commit. */
const PAGE = 50

/** A restored copy purges nothing: it may have been restored to get back what was deleted long ago. */
const unlessCopy =
  (run: BackgroundTask['run']): BackgroundTask['run'] =>
  async (services, now) =>
    services.copyOf === undefined && (await run(services, now))

/** All background tasks, in the order in which they run. */
export function backgroundTasks(services: Services): readonly BackgroundTask[] {
  const { db } = services
  const recalculatePage = backgroundRecalculation(db)
  const recomputeFuture = derivedValuesTask(db, services.commit)
  const webhooks = createWebhookSender(services)
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
      name: 'values of a time that did not come',
      every: 60,
      run: (_, now) => recomputeFuture(now),
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
      run: async ({ commit }, now) => (await commit(() => notifyTeamsDue(db, now, PAGE))) === PAGE,
    },
    {
      name: 'e-mails about held entries',
      every: 1,
      run: ({ commit }, now) => commit(() => notifyStaff(db, now, 1000)),
    },
    {
      name: 'e-mails about messages of sites',
      every: 1,
      run: ({ commit }, now) => commit(() => notifyReaders(db, now, PAGE)),
    },
    {
      name: 'notifications to many',
      every: 1,
      isTimeless: true,
      run: ({ commit }, now) => commit(() => sendNextNotifications(db, now, PAGE)),
    },
    {
      name: 'automatic queries',
      every: 5,
      run: async ({ commit }, now) => hasUnexamined(db) && (await commit(() => raiseAutomatic(db, now, 25))),
    },
    {
      name: 'payments for completions',
      every: 1,
      run: async ({ commit }, now) => hasClaims(db) && (await commit(() => payClaims(services, now, PAGE))) === PAGE,
    },
    {
      name: 'payments that wait',
      every: 1,
      run: async ({ commit }, now) =>
        hasPayable(services, now) && (await commit(() => payWaiting(services, now, PAGE))),
    },
    {
      name: 'orders of gift cards',
      every: 1,
      run: async () => {
        startOrders(services)
        return false
      },
    },
    { name: 'passwords of new participants', every: 1, isTimeless: true, run: hashNextPasswords },
    {
      name: 'events for webhooks',
      every: 1,
      isTimeless: true,
      run: async ({ commit }, now) => hasWebhookBehind(db) && (await commit(() => collectEvents(db, now))),
    },
    {
      // In parallel to the other tasks: a slow receiver must not delay them.
      name: 'webhooks',
      every: 1,
      run: async () => {
        webhooks.begin()
        return false
      },
      idle: webhooks.idle,
      finish: webhooks.finish,
    },
    { name: 'automatic queries by the AI endpoint', every: 5, run: aiQueryTask(services) },
    {
      name: 'participants to remind of wearables',
      every: 30,
      run: ({ commit }, now) => commit(() => queueReminders(db, now, PAGE * 10)),
    },
    {
      name: 'reminders to connect wearables',
      every: 5,
      run: async ({ commit }, now) => (await commit(() => remindToConnect(services, now, PAGE))) === PAGE,
    },
    { name: 'data of wearables', every: 5, run: wearableSync(services) },
    { name: 'insights on trials', every: 60, run: createInsightUpdater(services) },
    { name: 'texts of documents', every: 1, isTimeless: true, run: createTextReader() },
    { name: 'index of words', every: 1, isTimeless: true, run: createWordMaintenance() },
    { name: 'index of packs', every: 1, isTimeless: true, run: createPackIndexMaintenance() },
    {
      name: 'packs of abandoned imports',
      every: 60,
      run: ({ commit }, now) => commit(() => deleteAbandoned(db, now, PAGE)),
    },
    interruptedUploads,
    unusedExports,
    unusedUploads,
    expiredFiles,
    expiredReads,
    deletedFiles,
    { name: 'deletions that a stop interrupted', every: 1, isTimeless: true, run: (here) => deleteNextBatch(here) },
    { name: 'what was deleted long ago', every: 60, run: unlessCopy(purgeExpired) },
    { name: 'trials that were deleted long ago', every: 5, run: unlessCopy(purgeTrials) },
    oldIdempotencyKeys,
    expiredSessions,
    expiredSetupLinks,
    expiredStageLinks,
    abandonedConsentSessions,
    oldPollVerifications,
    endedJobs,
    finishedDeliveries,
    oldAttempts,
    oldEmailChanges,
    surplusAttempts,
  ]
}
