/** A trial with everything that a copy must contain. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import {
  anchors,
  dataTypes,
  files,
  groups,
  participants,
  roles,
  sites,
  stageGroups,
  stages,
  trials,
} from '#db/tables/index'
import { newId } from '#kernel/id'
import { newStoredName, uploadPath } from '#storage/names'
import type { World } from '../../harness'

export const at = 1_772_452_800_000_000

/** A trial with configuration of every kind, whose parts refer to each other. */
export function configured(w: World) {
  const trial = w.trial({
    name: 'Source',
    description: 'As it was',
    passwordHash: 'hash',
    timezone: 'Europe/Berlin',
    behindScheduleNotices: ['whatsapp'],
    isArchived: true,
    isLocked: true,
    restrictRegistration: false,
  })
  const [site, group, anchor, weight, visit, later] = Array.from({ length: 6 }, () => newId(at)) as string[]
  const own = { createdAt: at, trial }
  const video = newStoredName('how.mp4', at)
  const picture = newStoredName('site.png', at)
  const unused = newStoredName('unused.png', at)
  for (const [storedName, forType, forId] of [
    [video, 'trial', trial],
    [picture, 'site', site],
    [unused, 'trial', trial],
  ] as const) {
    const path = uploadPath(join(w.directory, 'files'), storedName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `bytes of ${storedName}`)
    w.db
      .insert(files)
      .values({
        storedName,
        createdAt: at,
        kind: 'upload',
        trial,
        forType,
        forId: forId!,
        createdBy: w.owner._id,
        name: 'a',
        type: 'a/b',
        finishedAt: at,
      })
      .run()
  }
  const settings = {
    sponsor: 'S',
    fitbitGroups: [group],
    smartAutomaticQueryAssignees: [w.owner._id],
    lockJustification: 'Because it is so.',
  }
  w.db.update(trials).set({ settings }).where(eq(trials._id, trial)).run()
  w.db
    .insert(sites)
    .values({ ...own, _id: site!, name: 'North', id: '01', image: picture, approvalStatus: 'selected' })
    .run()
  w.db
    .insert(groups)
    .values({ ...own, _id: group!, name: 'Arm', colour: 'red' })
    .run()
  w.db
    .insert(anchors)
    .values({
      ...own,
      _id: anchor!,
      name: 'Surgery',
      assignmentRule: { type: 'stage_completion', stageId: visit!, stageRecurrence: 0 },
    })
    .run()
  w.db
    .insert(dataTypes)
    .values({ ...own, _id: weight!, name: 'Weight', code: 'weight', format: 'float', settings: { min: 1 } })
    .run()
  w.db
    .insert(stages)
    .values([
      {
        ...own,
        _id: visit!,
        index: 0,
        name: 'Visit',
        settings: {
          availableToSites: [site],
          availableToGroups: [group],
          isAnchored: true,
          anchorSchedule: [{ anchor, dayOffset: 3 }],
        },
        components: [
          {
            id: 'a',
            dataType: weight,
            title: 'Weight',
            condition: { dataType: weight, operator: 'exists' },
            video: { name: 'How', fileName: video },
          },
        ],
      },
      {
        ...own,
        _id: later!,
        index: 1,
        name: 'Later',
        settings: { enableAfter: { type: 'stage', stage: visit, stageRecurrence: 0, delay: 7 } },
      },
    ])
    .run()
  w.db
    .insert(stageGroups)
    .values({
      ...own,
      _id: newId(at),
      index: 0,
      name: 'All',
      stages: [
        { stage: visit!, recurrence: null },
        { stage: later!, recurrence: 1 },
      ],
    })
    .run()
  w.db
    .insert(roles)
    .values({
      ...own,
      _id: newId(at),
      name: 'Nurse',
      permissions: { [trial]: ['trial.readTasks'], [site!]: ['site.read'], [group!]: ['group.read'] },
    })
    .run()
  w.db
    .insert(participants)
    .values({ ...own, _id: newId(at), id: 'P1', idSort: 'p1' })
    .run()
  return { trial, site: site!, video, picture, unused }
}

export const configuration = (ids: string[]) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(...ids),
      fc.tuple(fc.constantFrom(...ids), fc.nat(99)).map(([id, n]) => `${id}::${n}`),
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...ids), fc.constantFrom('stage', 'dataType')), tie('value'), {
        maxKeys: 4,
      }),
    ),
  })).value
