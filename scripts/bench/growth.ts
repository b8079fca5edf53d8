/**
 * Measures whether the time of a submission depends on the number of earlier ones: `growth.ts [count]`. Two services
 * side by side, whose trials have the same participants, one with 10 responses and one with 100,000 (or `count`);
 * submissions by turns.
 */

import { submit } from '#conduct/responses/submit'
import { recalculateDue } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { hideNothing } from '#design/configuration/hidden'
import { trialById } from '#design/trials/store'
import { newId } from '#kernel/id'
import { systemClock } from '#kernel/time'
import { openService } from '#server/service'
import { freshFolder, median, removeFolder } from './run'
import { type Seeded, seed } from './seed'
import { bodies } from './work'

const FEW = 10
const TIMES = 1_000

type Sent = Record<string, { value: unknown }>

/** Stores first responses of that many participants, as submitting does but for the request around it. */
function fill(db: Db, { trial, stage, people, ids }: Seeded, count: number): void {
  const texts = bodies(ids, 1_000, 1)
  const now = systemClock.now()
  const common = { db, now, zone: 'UTC', trial, stage, stageRecurrence: 0, existing: undefined, updateNote: null }
  const by = { _id: newId(now), type: 'user' as const }
  const client = { address: '127.0.0.1', device: null }
  for (let from = 0; from < count; from += 1_000) {
    db.transaction(() => {
      const config = configuration(db, trialById(db, trial)!)
      for (const [at, participant] of people.slice(from, Math.min(count, from + 1_000)).entries()) {
        const sent = JSON.parse(texts[at % texts.length]!).response as Sent
        submit({
          ...common,
          configuration: config,
          participant,
          sent,
          hidden: hideNothing,
          by,
          client,
          id: () => newId(now),
        })
      }
    })
  }
  while (db.transaction(() => recalculateDue(db, now))) {}
}

/** Makes a service with that many responses. Returns the function that submits one more and returns the milliseconds it took. */
function prepared(participants: number, responses: number) {
  const directory = freshFolder()
  const service = openService({
    directory,
    storageKey: 'sixteen or more bytes',
    clock: systemClock,
    publicUrl: 'http://localhost',
    version: '0.0.0+bench',
  })
  const { db } = service.services
  const seeded = seed(db, participants, systemClock.now(), () => ({ progressDueAt: null }))
  fill(db, seeded, responses)
  const texts = bodies(seeded.ids, TIMES, 2)
  const headers = { Authorization: `Bearer ${seeded.key}`, 'Content-Type': 'application/json' }
  return {
    async once(at: number): Promise<number> {
      const participant = seeded.people[participants - 1 - at]!
      const url = `http://localhost/trials/${seeded.trial}/participants/${participant}/responses/${seeded.stage}`
      const request = new Request(url, { method: 'PUT', headers, body: texts[at % TIMES]! })
      const started = performance.now()
      const answer = await service.handle(request, '127.0.0.1')
      const text = await answer.text()
      const took = performance.now() - started
      if (answer.status !== 200) throw new Error(text)
      return took
    },
    close() {
      service.close()
      removeFolder(directory)
    },
  }
}

const many = Number(process.argv[2] ?? 100_000)
const warm = 500
const [few, lots] = [prepared(many + TIMES + warm, FEW), prepared(many + TIMES + warm, many)]
const took = { few: [] as number[], lots: [] as number[] }
for (let at = 0; at < warm + TIMES; at++) {
  const [first, second] = at % 2 ? (['few', 'lots'] as const) : (['lots', 'few'] as const)
  for (const name of [first, second]) {
    const time = await (name === 'few' ? few : lots).once(at)
    if (at >= warm) took[name].push(time)
  }
}
few.close()
lots.close()
const [small, large] = [median(took.few), median(took.lots)]
const timeText = (milliseconds: number) => `${milliseconds.toFixed(3)} ms`
console.log(`a submission with ${FEW} earlier responses in the trial: ${timeText(small)} (median of ${TIMES})`)
console.log(`a submission with ${many.toLocaleString('en')}: ${timeText(large)}`)
console.log(`ratio: ${(large / small).toFixed(2)}`)
