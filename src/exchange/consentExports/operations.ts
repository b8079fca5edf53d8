/** Exports of consents (docs/consent.md, "Exports"). */
import { join } from 'node:path'
import { holdsAnywhere } from '#access/caller'
import { packAllKeys } from '#access/packedAccess'
import { formById } from '#conduct/consents/store'
import { trial } from '#design/trials/scope'
import { exportLink } from '#exchange/exports/links'
import { exportRequestOf, filtersOf, queryRefusal } from '#exchange/exports/request'
import { anywhere, operation } from '#http/operation'
import { responseWith, startFile } from '#jobs/fileWork'
import { newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { newStoredName } from '#storage/names'
import { byQuery } from '#wire/schema'
import { exportConsents as job } from './job'
import { ConsentCsv, type ConsentExportQuery, ConsentFile, ConsentJson, ConsentExportQuery as Query } from './model'

/** Refuses (422) what only a csv has. */
function refuseCsvSettings({ type = 'json', ...settings }: ConsentExportQuery): void {
  if (type === 'csv') return
  if (settings.dataset !== undefined) throw queryRefusal('dataset', reason('datasetOfCsv', { type }))
  if (settings.escape !== undefined) throw queryRefusal('escape', reason('onlyCsvEscaped'))
}

const exportConsents = operation({
  id: 'exportConsents',
  method: 'GET',
  path: '/trials/:trialId/consent-export',
  summary: 'Export the consents of a trial, with their course and who still has to sign',
  description:
    'Needs `trial.readTrialConsents`, too. Names, addresses, initials and reasons are included for readers who may see personal information. Archived participants are left out. csv is `{csv}`, excel a link.',
  scope: trial,
  needs: anywhere('trial.exportData'),
  feature: 'eConsent',
  logs: 'exportConsents',
  reads: 'filter',
  query: Query,
  returns: byQuery('type', ConsentJson, { csv: ConsentCsv, excel: ConsentFile }),
  streams: true,
  prepare: async (context) => {
    const { db, services, trial, access, query, caller, now } = context
    if (!holdsAnywhere(access, 'readTrialConsents')) throw refuse.missingPermission(['trial.readTrialConsents'])
    refuseCsvSettings(query)
    const { type = 'json', dataset = 'consents', consentDocument: form } = query
    if (form !== undefined && formById(db, form)?.trial !== trial._id)
      throw queryRefusal('consentDocument', reason('noConsentFormWithId', { id: form }))
    const request = exportRequestOf({ sites: query.sites, groups: query.groups })
    const { sites, groups } = filtersOf(context, request, queryRefusal) ?? {}
    const file = type === 'excel' ? newStoredName('consents.xlsx', now) : newSecret()
    const of = { trial: trial._id, access: packAllKeys(access), form, sites, groups }
    const task = { ...of, type, dataset, escape: query.escape, at: now, file }
    return { asked: { ...request, form }, begun: await startFile(services, job, task, caller) }
  },
  run: (context) => {
    const { services, query, prepared, record } = context
    const { asked: request, begun: startedFile } = prepared
    const { type: format = 'json' } = query
    const { form, ...places } = request
    const of = { ...places, ...(form === undefined ? {} : { consentDocument: form }) }
    const dataset = format === 'csv' ? { dataset: query.dataset ?? 'consents' } : {}
    record({ event: { format, ...dataset, ...of, ...(startedFile.growth ? {} : { rows: startedFile.rows }) } })
    return format === 'excel'
      ? { request: exportLink(context, startedFile, 'excel', 'consents') }
      : responseWith(join(services.storage.exports, startedFile.file), startedFile)
  },
})

export const consentExportOperations = [exportConsents] as const
