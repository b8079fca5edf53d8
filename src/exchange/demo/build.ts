/** Sets the demo study up in a new trial: its configuration, without participants' data. */

import { statusIn } from '#conduct/tasks/rules'
import { insertTask, lanesOf } from '#conduct/tasks/store'
import type { Db } from '#db/open'
import { insertAnchor } from '#design/anchors/store'
import { dataTypeFromInput as newDataType } from '#design/dataTypes/merge'
import type { DataTypeInput } from '#design/dataTypes/model'
import { insertDataType } from '#design/dataTypes/store'
import { insertGroup } from '#design/groups/store'
import { insertRole } from '#design/roles/store'
import { insertSite } from '#design/sites/store'
import type { StageGroupInput } from '#design/stageGroups/model'
import { insertStageGroup } from '#design/stageGroups/store'
import { stageFromInput as newStage } from '#design/stages/merge'
import { insertStage } from '#design/stages/store'
import { replaceIds } from '#design/trials/rules'
import { type Trial, updateTrial } from '#design/trials/store'
import type { Note } from '#http/operation'
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { study } from './study'

export type BuildContext = {
  db: Db
  now: Instant
  trial: Trial
  /** The user who asked for the demo; its tasks are assigned to them. */
  user: Id
  id(): Id
  record(note: Note): void
}

/** The `_id` of everything in the study, by its `#name`. */
export type IdsByName = ReadonlyMap<string, Id>

type Key = { _id: Id; createdAt: Instant; trial: Id }
type Questions = Record<string, DataTypeInput & { code: string }>
type Part = 'sites' | 'groups' | 'anchors' | 'dataTypes' | 'stages' | 'stageGroups' | 'roles' | 'tasks'

/** Builds the study, with an audit entry for each object as if a user had created it. Returns the `_id` of each. */
export function buildStudy({ db, now, trial, user, id, record }: BuildContext): IdsByName {
  const parts: Part[] = ['sites', 'groups', 'anchors', 'dataTypes', 'stages', 'stageGroups', 'roles', 'tasks']
  const names = new Map<string, Id>([['#trial', trial._id]])
  for (const part of parts) for (const name of Object.keys(study[part])) names.set(`#${name}`, id())

  /** Inserts all objects of one kind, with their references resolved. */
  function insertEach<T>(
    type: string,
    things: Record<string, T>,
    insert: (key: Key, thing: T, index: number) => unknown,
  ) {
    for (const [index, [name, thing]] of Object.entries(things).entries()) {
      const key = { _id: names.get(`#${name}`)!, createdAt: now, trial: trial._id }
      record({ type, chain: trial._id, event: { demo: true, after: insert(key, replaceIds(thing, names), index) } })
    }
  }

  updateTrial(db, trial, study.settings, undefined)
  insertEach('createSite', study.sites, (key, site) => insertSite(db, { ...key, ...site }))
  insertEach('createGroup', study.groups, (key, group) => insertGroup(db, { ...key, ...group }))
  insertEach('createDataType', study.dataTypes as Questions, (key, { code, ...question }) => {
    const after = newDataType({ ...key, code }, question)
    insertDataType(db, after)
    return after
  })
  insertEach('createStage', study.stages, (key, stage, index) => {
    const after = newStage({ ...key, index }, stage)
    insertStage(db, after)
    return after
  })
  insertEach('createAnchor', study.anchors, (key, anchor) => insertAnchor(db, { ...key, ...anchor }))
  insertEach('createStageGroup', study.stageGroups, (key, group, index) =>
    insertStageGroup(db, { ...key, ...group, index, stages: entriesOf(group) }),
  )
  insertEach('createRole', study.roles, (key, role) =>
    insertRole(db, { ...key, ...role, permissions: role.permissions ?? {} }),
  )
  const lanes = new Map(lanesOf(db, trial._id).map((lane) => [lane.name, lane]))
  insertEach('createTask', study.tasks, (key, { lane: name, dueInDays, ...task }) => {
    const { _id: taskLane, isCompleteLane } = lanes.get(name)!
    const status = statusIn(isCompleteLane)!
    const defaults = {
      createdBy: user,
      completedAt: isCompleteLane ? now : null,
      assignees: [user],
      participant: null,
      scored: [],
    }
    return insertTask(db, {
      ...key,
      ...task,
      ...defaults,
      taskLane,
      status,
      dueDate: dueInDays && now + dueInDays * DAY,
    })
  })
  return names
}

const entriesOf = ({ stages = [] }: StageGroupInput) =>
  stages.map(({ stage, recurrence = null }) => ({ stage, recurrence }))
