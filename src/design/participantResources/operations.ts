import { changedFields } from '#audit/changedFields'
import { placeRow } from '#db/positions'
import { deleteById, updateById } from '#db/rows'
import { participantResources } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/schema'
import { checkContent, contentColumns, definedFields, resourceViewer, translationColumns } from './content'
import { MOST, Resource, ResourceChange, ResourceInput, Resources } from './model'
import { resource } from './scope'
import { countOf, insertResource, resourcesOf } from './store'

const listResources = operation({
  id: 'listParticipantResources',
  method: 'GET',
  path: '/trials/:trialId/participantResources',
  summary: 'List the resources that participants see, in order',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: Resources,
  run: (context) => ({ resources: resourcesOf(context.db, context.trial._id).map(resourceViewer(context)) }),
})

const createResource = operation({
  id: 'createParticipantResource',
  method: 'POST',
  path: '/trials/:trialId/participantResources',
  summary: 'Add a file, link, video or text for participants',
  description:
    'Each type has a content of its own: `storedName`, `linkUrl`, `youtubeUrl` or `html`. A trial has at most 500.',
  scope: trial,
  needs: 'trial.write',
  logs: 'createParticipantResource',
  body: ResourceInput,
  returns: Resource,
  prepare: ({ body }) => checkContent(body.type, body, true),
  run: (context) => {
    const { db, trial, body, prepared, id, now, record } = context
    const { type, title, description, index } = body
    const count = countOf(db, trial._id)
    if (count >= MOST) throw refuse.bad('tooManyResources', { most: MOST })
    const content = {
      ...{ _id: id(), createdAt: now, trial: trial._id, index: count },
      ...{ type, title, description },
      ...contentColumns(db, trial._id, type, body, prepared.html),
    }
    const { translations } = prepared
    const row = insertResource(db, { ...content, ...translationColumns(db, { ...content, translations }) })
    const after = { ...row, index: placeRow(db, participantResources, trial._id, row._id, index) }
    record({ event: { after } })
    return resourceViewer(context)(after)
  },
})

const editResource = operation({
  id: 'updateParticipantResource',
  method: 'PUT',
  path: '/trials/:trialId/participantResources/:resourceId',
  summary: 'Change the title, description, position or content of a resource',
  description: 'Its type cannot change.',
  scope: resource,
  needs: 'trial.write',
  logs: 'updateParticipantResource',
  body: ResourceChange,
  returns: Resource,
  prepare: ({ resource, body }) => {
    if (body.type !== undefined && body.type !== resource.type)
      throw refuse.bad('resourceTypeStays', { type: resource.type, other: body.type })
    return checkContent(resource.type, body, false)
  },
  run: (context) => {
    const { db, trial, resource, body, prepared, record } = context
    const { title, description, index } = body
    const content = contentColumns(db, trial._id, resource.type, body, prepared.html)
    const sent = definedFields({ title, description, ...content, translations: prepared.translations })
    const columns = { ...sent, ...translationColumns(db, { ...resource, ...sent }, resource) }
    const after = updateById(db, participantResources, resource._id, columns)
    if (index !== undefined) after.index = placeRow(db, participantResources, trial._id, resource._id, index)
    record({ event: { _id: resource._id, ...changedFields(resource, after) } })
    return resourceViewer(context)(after)
  },
})

const removeResource = operation({
  id: 'deleteParticipantResource',
  method: 'DELETE',
  path: '/trials/:trialId/participantResources/:resourceId',
  summary: 'Remove a resource',
  scope: resource,
  needs: 'trial.write',
  logs: 'deleteParticipantResource',
  returns: shape({}),
  run: ({ db, trial, resource, record }) => {
    deleteById(db, participantResources, resource._id)
    placeRow(db, participantResources, trial._id)
    record({ event: { before: resource } })
    return {}
  },
})

export const resourceOperations = [listResources, createResource, editResource, removeResource] as const
