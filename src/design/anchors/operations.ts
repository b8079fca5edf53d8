import { deleteById, updateById } from '#db/rows'
import { anchors } from '#db/tables/index'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { refuseReferenced } from '#design/configuration/dependants'
import type { TimelineAnchor } from '#design/schedule/anchors'
import { timelineProblems } from '#design/schedule/problems'
import { refuseLockedDataLoss } from '#design/trials/lockedDataStore'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { Anchor, AnchorInput, Anchors } from './model'
import { anchor } from './scope'
import { anchorsOf, insertAnchor } from './store'

/** Refuses an anchor that waits for something that can never happen (422), or that would close a circle (400). */
function refuseInvalidAnchor({ stageOrder, anchors }: Configuration, after: TimelineAnchor): void {
  const others = anchors.filter(({ _id }) => _id !== after._id)
  const problems = timelineProblems(stageOrder, [...others, after])
  const circle = problems.find(({ isCircle }) => isCircle)
  if (circle) throw refuse.bad(circle.problem)
  if (problems.length) throw refuse.invalid({ assignmentRule: problems.map(({ problem }) => problem) })
}

const listAnchors = operation({
  id: 'listAnchors',
  method: 'GET',
  path: '/trials/:trialId/anchors',
  summary: 'List the anchors of a trial',
  scope: trial,
  needs: 'nothing',
  returns: Anchors,
  run: ({ db, trial }) => ({ anchors: anchorsOf(db, trial._id) }),
})

const createAnchor = operation({
  id: 'createAnchor',
  method: 'POST',
  path: '/trials/:trialId/anchors',
  summary: 'Create an anchor',
  scope: trial,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'anchor',
  logs: 'createAnchor',
  body: AnchorInput,
  returns: Anchor,
  run: ({ db, trial, body, id, now }) => {
    const assignmentRule = body.assignmentRule ?? ({ type: 'manual' } as const)
    const row = { ...body, _id: id(), createdAt: now, trial: trial._id, assignmentRule }
    refuseInvalidAnchor(configuration(db, trial), row)
    return insertAnchor(db, row)
  },
})

const editAnchor = operation({
  id: 'updateAnchor',
  method: 'PUT',
  path: '/anchors/:anchorId',
  summary: 'Change an anchor',
  description: 'Dates that participants have already do not change.',
  scope: anchor,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'anchor',
  logs: 'updateAnchor',
  body: partial(AnchorInput),
  returns: Anchor,
  run: ({ db, trial, anchor, body }) => {
    refuseInvalidAnchor(configuration(db, trial), { ...anchor, ...body })
    return updateById(db, anchors, anchor._id, body)
  },
})

const removeAnchor = operation({
  id: 'deleteAnchor',
  method: 'DELETE',
  path: '/anchors/:anchorId',
  summary: 'Delete an anchor',
  description: 'Refused while stages wait for it. The dates that participants have for it are deleted too.',
  scope: anchor,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'anchor',
  logs: 'deleteAnchor',
  returns: shape({}),
  run: ({ db, trial, anchor }) => {
    refuseLockedDataLoss(db, trial, 'anchor', [anchor._id])
    refuseReferenced(configuration(db, trial), anchor)
    deleteById(db, anchors, anchor._id)
    return {}
  },
})

export const anchorOperations = [listAnchors, createAnchor, editAnchor, removeAnchor] as const
