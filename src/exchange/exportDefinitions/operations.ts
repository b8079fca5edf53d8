/** Saved exports. They can be changed under both locks, because they are not part of the study's configuration or data. */
import { deleteById } from '#db/rows'
import { exportDefinitions } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import type { ExportSettings } from '#exchange/exports/model'
import { bodyRefusal, checkExportRequest, filtersOf } from '#exchange/exports/request'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { ExportDefinition, ExportDefinitionInput, ExportDefinitions } from './model'
import { exportDefinition } from './scope'
import { definitionsOf, insertDefinition, requireFreeName, updateDefinition } from './store'

/** Refuses (422) settings that fit no type, and filters by what does not exist. */
function checkSettings(reader: Parameters<typeof filtersOf>[0], settings: ExportSettings): void {
  const isOfAllTables = settings.dataset === 'table' && settings.table === undefined
  checkExportRequest({ ...settings, type: isOfAllTables ? 'excel' : 'csv' }, bodyRefusal)
  filtersOf(reader, settings, bodyRefusal)
}

/** The most saved exports of a trial. */
const MOST = 500

const listDefinitions = operation({
  id: 'listExportDefinitions',
  method: 'GET',
  path: '/trials/:trialId/export-definitions',
  summary: 'List the saved exports of a trial',
  scope: trial,
  needs: 'trial.exportData',
  returns: ExportDefinitions,
  run: ({ db, trial }) => ({ exportDefinitions: definitionsOf(db, trial._id) }),
})

const createDefinition = operation({
  id: 'createExportDefinition',
  method: 'POST',
  path: '/trials/:trialId/export-definitions',
  summary: 'Save an export',
  description:
    'It is run by `GET /trials/:trialId/responses?definition=<_id>&type=csv`, or another type, with the permissions of the caller.',
  scope: trial,
  needs: 'trial.exportData',
  of: 'exportDefinition',
  logs: 'createExportDefinition',
  body: ExportDefinitionInput,
  returns: ExportDefinition,
  run: ({ db, now, id, trial, access, caller, body: { name, settings } }) => {
    checkSettings({ db, trial, access }, settings)
    requireFreeName(db, trial._id, name)
    if (definitionsOf(db, trial._id).length >= MOST) throw refuse.bad('tooManySavedExports', { most: MOST })
    const about = { _id: id(), createdAt: now, updatedAt: now, createdBy: caller.user._id, trial: trial._id }
    return insertDefinition(db, { ...about, name, settings })
  },
})

const readDefinition = operation({
  id: 'readExportDefinition',
  method: 'GET',
  path: '/export-definitions/:definitionId',
  summary: 'Read a saved export',
  scope: exportDefinition,
  needs: 'trial.exportData',
  returns: ExportDefinition,
  run: ({ exportDefinition }) => exportDefinition,
})

const editDefinition = operation({
  id: 'updateExportDefinition',
  method: 'PUT',
  path: '/export-definitions/:definitionId',
  summary: 'Rename or change a saved export',
  scope: exportDefinition,
  needs: 'trial.exportData',
  of: 'exportDefinition',
  logs: 'updateExportDefinition',
  body: partial(ExportDefinitionInput),
  returns: ExportDefinition,
  run: ({ db, now, trial, access, exportDefinition: { _id }, body }) => {
    if (body.settings) checkSettings({ db, trial, access }, body.settings)
    if (body.name !== undefined) requireFreeName(db, trial._id, body.name, _id)
    return updateDefinition(db, _id, { ...body, updatedAt: now })
  },
})

const removeDefinition = operation({
  id: 'deleteExportDefinition',
  method: 'DELETE',
  path: '/export-definitions/:definitionId',
  summary: 'Delete a saved export',
  scope: exportDefinition,
  needs: 'trial.exportData',
  of: 'exportDefinition',
  logs: 'deleteExportDefinition',
  returns: shape({}),
  run: ({ db, exportDefinition: { _id } }) => {
    deleteById(db, exportDefinitions, _id)
    return {}
  },
})

export const exportDefinitionOperations = [
  listDefinitions,
  createDefinition,
  readDefinition,
  editDefinition,
  removeDefinition,
] as const
