/** Webhooks and FHIR are found by indexes: the cost does not grow with the trial, nor with what waits or was sent. */
import { expect, test } from 'bun:test'
import { numberBefore } from '#audit/store'
import { endOfChunk, participantsBetween } from '#exchange/fhir/store'
import { parseInstant } from '#kernel/time'
import * as deliveries from '#office/webhookDeliveries/store'
import * as webhooks from '#office/webhooks/store'
import { receiver, webhookStudy } from './office/webhooks/receiver'
import { collectStatements, explained, scans } from './plan'
import { firstOf } from './present'

test('no statement about webhooks and their deliveries scans a table or sorts one', async () => {
  const s = await webhookStudy()
  const { db, trial, anna } = s
  const { _id } = await s.hook(receiver(() => new Response('', { status: 500 })).url, ['response.submitted'])
  const response = (await s.enter({ pulse: 60 })).body._id
  await s.tick()
  const delivery = firstOf(deliveries.dueDeliveries(db, _id, Number.MAX_SAFE_INTEGER, 5))
  const now = parseInstant(s.now())!
  const collector = collectStatements(db.$client)
  webhooks.webhooksOf(db, trial)
  webhooks.dueWebhooks(db, now)
  webhooks.hasWebhookBehind(db)
  webhooks.webhooksBehind(db)
  webhooks.headOf(db, trial)
  webhooks.retryNow(db, _id, now)
  deliveries.waitingCount(db, _id, 10)
  deliveries.entryTypesAfter(db, trial, 0, 10)
  deliveries.entryAt(db, trial, 1)
  numberBefore(db, trial, now)
  deliveries.isFirstSubmission(db, 1)
  deliveries.submissionAndBefore(db, response, 1)
  deliveries.insertDelivery(db, { ...delivery, entry: delivery.entry! }, now)
  deliveries.dueDeliveries(db, _id, now, 5)
  deliveries.finishDelivery(db, delivery, 'failed', now)
  deliveries.requeueDelivery(db, delivery, now)
  deliveries.deliveriesBefore(db, _id, 'g', undefined, 5)
  deliveries.deliveriesBefore(db, _id, 'g', 'waiting', 5)
  expect(deliveries.attemptsOf(db, [delivery._id])).toHaveLength(1)
  deliveries.nextAttempt(db, delivery._id)
  deliveries.deleteFinished(db, now, 5)
  endOfChunk(db, trial, '', 5)
  participantsBetween(db, trial, ['', anna], [{ sites: ['a'], groups: ['b'] }])
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(20)
  // The enabled webhooks are all read: a trial has at most 20.
  const list = 'SCAN webhooks USING INDEX webhooksEnabled'
  expect(statements.flatMap((statement) => scans(db.$client, statement))).toEqual([list, list, list])
  const sorting = statements.filter((statement) =>
    explained(db.$client, statement).some(({ detail }) => detail.includes('TEMP B-TREE')),
  )
  // The few webhooks to which something is due are sorted.
  expect(sorting.filter((statement) => !/json_each|min\(dueAt\)/.test(statement))).toEqual([])
})
