import { trial } from '#design/trials/scope'
import { describeKey, SigningKey } from '#documents/archives/signature'
import { operation } from '#http/operation'
import { HOUR } from '#kernel/time'
import { shape } from '#wire/schema'
import { Datasets, StartedJob } from './model'
import { startStudyRecord } from './start'
import { datasetsOf } from './store'

// trial.admin includes trial.exportData and the right to see everything (docs/permissions.md, "Keys"), so that a
// record is complete.
const needs = 'trial.admin'

const exportStudyRecord = operation({
  id: 'exportStudyRecord',
  method: 'POST',
  path: '/trials/:trialId/study-record',
  summary: 'Write everything of a trial into one archive',
  description:
    'A job. Its result holds `request`, a link to a zip for five days, `fileName` and `counts`. In the zip: study.json, each stage as csv and json, the history of answers, a codebook as csv, page and workbook, a casebook of each participant, participants.csv, notes, tasks and permissions, signatures, queries and verifications, messages, the audit trail as a table and with its hashes, account-log.csv, configuration-versions.json, consent-forms.json, consents.json, the uploaded files, a MANIFEST for `sha256sum -c`, and its signature, which `trialbox verify-record` checks. Archived participants are left out, as of every export.',
  scope: trial,
  needs,
  logs: 'exportStudyRecord',
  reads: 'filter',
  body: shape({}),
  returns: StartedJob,
  run: (context) => {
    const started = startStudyRecord(context, context.trial)
    context.record({ event: { format: 'zip', ...started } })
    return started
  },
})

const listDatasets = operation({
  id: 'listLockedDatasets',
  method: 'GET',
  path: '/trials/:trialId/locked-datasets',
  summary: 'List the study records of the locks of the database',
  description: 'Newest first, each with a link for an hour once it is made.',
  scope: trial,
  needs,
  returns: Datasets,
  run: ({ db, services, now, trial }) => ({
    datasets: datasetsOf(db, trial._id).map(({ dataset, status, error }) => {
      const { name, storedName, sha256, ...rest } = dataset
      const isMade = sha256 !== null
      return {
        ...rest,
        sha256,
        fileName: name,
        status: isMade ? 'done' : (status ?? 'error'),
        error: isMade ? null : error,
        request: isMade ? services.storage.downloadUrl(storedName, name, now + HOUR) : null,
      }
    }),
  }),
})

const readSigningKey = operation({
  id: 'readSigningKey',
  method: 'GET',
  path: '/signing-key',
  summary: 'Read the public key with which this server signs archives',
  description:
    'Study records, locked datasets and other archives hold a signature that `trialbox verify-record` checks. Compare the fingerprint that it prints with this one.',
  who: 'anyone',
  needs: 'nothing',
  limit: 60,
  returns: SigningKey,
  run: ({ services }) => describeKey(services.archiveKey()),
})

export const studyRecordOperations = [exportStudyRecord, listDatasets, readSigningKey] as const
