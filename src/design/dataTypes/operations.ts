import { configuration } from '#design/configuration/configuration'
import {
  refuseBrokenStages,
  refuseInUse,
  refuseInvalidDataType,
  refuseLosses,
  refuseRevealing,
} from '#design/configuration/dataTypeRefusals'
import { changeWithoutHiddenUses } from '#design/configuration/hiddenUses'
import { requireSizeLimits } from '#design/configuration/sizeLimits'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { list, partial, shape } from '#wire/schema'
import { dataTypeFromInput, mergeDataType } from './merge'
import { DataType, DataTypeInput } from './model'
import { codeFrom } from './rules'
import { dataType } from './scope'
import { deleteDataType, insertDataType, isCodeTaken, updateDataType } from './store'

/** The largest body, in bytes: the options of a choice or of a table's columns may need more than the usual megabyte. */
const LARGEST = 4 << 20

const listDataTypes = operation({
  id: 'listDataTypes',
  method: 'GET',
  path: '/trials/:trialId/data-types',
  summary: 'List the data types of a trial',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: shape('DataTypes', { dataTypes: list(DataType) }),
  run: ({ db, trial }) => ({ dataTypes: [...configuration(db, trial).dataTypes.values()] }),
})

const createDataType = operation({
  id: 'createDataType',
  method: 'POST',
  path: '/trials/:trialId/data-types',
  summary: 'Create a data type',
  description: 'Without a code, the server makes one from the name.',
  scope: trial,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'dataType',
  logs: 'createDataType',
  body: DataTypeInput,
  maxBodyBytes: LARGEST,
  returns: DataType,
  run: ({ db, trial, access, body, id, now }) => {
    const code = body.code ?? codeFrom(body.name, (code) => isCodeTaken(db, trial._id, code))
    const after = dataTypeFromInput({ _id: id(), createdAt: now, trial: trial._id, code }, body)
    const current = configuration(db, trial)
    requireSizeLimits(current, { dataTypes: 1, stages: 0 })
    refuseInvalidDataType(db, current, after)
    refuseRevealing(current, access, after)
    changeWithoutHiddenUses({ db, trial, access }, () => insertDataType(db, after))
    return after
  },
})

const readDataType = operation({
  id: 'readDataType',
  method: 'GET',
  path: '/data-types/:dataTypeId',
  summary: 'Read a data type',
  scope: dataType,
  needs: anywhere('trial.read'),
  returns: DataType,
  run: ({ dataType }) => dataType,
})

const editDataType = operation({
  id: 'updateDataType',
  method: 'PUT',
  path: '/data-types/:dataTypeId',
  summary: 'Change a data type',
  description:
    'Null removes a setting. Refused if answers or a stage use what would be removed, or if the caller would see answers that are hidden from them.',
  scope: dataType,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'dataType',
  logs: 'updateDataType',
  body: partial(DataTypeInput),
  maxBodyBytes: LARGEST,
  returns: DataType,
  run: ({ db, trial, access, dataType, body }) => {
    const after = mergeDataType(dataType, body)
    refuseInvalidDataType(db, configuration(db, trial), after, dataType)
    refuseRevealing(configuration(db, trial), access, after, dataType)
    refuseLosses(db, dataType, after)
    refuseBrokenStages(configuration(db, trial), after)
    changeWithoutHiddenUses({ db, trial, access }, () => updateDataType(db, after))
    return after
  },
})

const removeDataType = operation({
  id: 'deleteDataType',
  method: 'DELETE',
  path: '/data-types/:dataTypeId',
  summary: 'Delete a data type',
  description: 'Refused while a stage uses it, and once it has answers.',
  scope: dataType,
  needs: 'trial.write',
  changes: 'configuration',
  of: 'dataType',
  logs: 'deleteDataType',
  returns: shape({}),
  run: ({ db, trial, dataType }) => {
    refuseInUse(db, configuration(db, trial), dataType)
    deleteDataType(db, dataType._id)
    return {}
  },
})

export const dataTypeOperations = [listDataTypes, createDataType, readDataType, editDataType, removeDataType] as const
