/** The checklist of essential records (docs/essential-records.md). */
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { sitesById } from '#design/sites/store'
import { writerOf } from '#design/trials/notices'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { fileEntry, requirePlaces } from '#office/files/versions/versions'
import { checklistOf, daysOf, placesFor } from './checklist'
import { Applicability, ChecklistPage, ChecklistQuery, ExemptionInput, perPageOf } from './model'
import { recordById } from './records'
import { isLacking, stageOfTrial } from './rules'
import { deleteExemption, exemptionOf, insertExemption } from './store'
import { definitionsIn } from './views'

const readChecklist = operation({
  id: 'readFileChecklist',
  method: 'GET',
  path: '/trials/:trialId/files/checklist',
  summary: 'Check which essential records the trial master file lacks',
  description:
    'The essential records of ICH E6(R3) for this stage of the trial and of each site, as far as the caller may read the files: ' +
    'which are there, missing, not approved, expired, or said not to be applicable.',
  scope: trial,
  needs: [anywhere('trial.readFiles'), anywhere('trial.readApprovedFiles')],
  query: ChecklistQuery,
  returns: ChecklistPage,
  run: (context) => {
    const { db, now, trial, caller, query } = context
    const { site, lacking = false, page = 1 } = query
    const perPage = perPageOf(query)
    const days = daysOf(trial, now)
    const places = placesFor(context, site === 'none' ? null : site)
    const shown = places.slice((page - 1) * perPage, page * perPage).map((place) => {
      const { site, entries, ...rest } = checklistOf({ ...context, ...days }, place)
      const listed = entries.filter(({ state }) => !lacking || isLacking(state))
      return {
        ...{ site: site?._id ?? null, ...rest },
        entries: listed.map(({ record, exemption, ...entry }) => ({
          ...{ record: record.id, ...entry, exemption: exemption ?? null },
        })),
      }
    })
    const writer = writerOf(trial, rowById(db, users, caller.user._id)!.language)
    return {
      ...{ stage: stageOfTrial(trial), today: days.today, records: definitionsIn(writer), places: shown },
      ...{ page, nextPageAvailable: places.length > page * perPage },
    }
  },
})

const setApplicability = operation({
  id: 'setRecordApplicability',
  method: 'PUT',
  path: '/trials/:trialId/files/checklist',
  summary: 'Say whether an essential record is applicable to the trial or a site',
  description:
    'A record that is not applicable is not lacking. The reason is in the checklist, in the report and in the audit trail. A record ' +
    'that every trial has cannot be excepted.',
  scope: trial,
  needs: anywhere('trial.writeFiles'),
  logs: 'setRecordApplicability',
  body: ExemptionInput,
  returns: Applicability,
  run: (context) => {
    const { db, now, id, caller, trial, body, record } = context
    const { record: name, site = null, isApplicable, reason = null } = body
    requirePlaces(context, [site], 'writeFiles')
    const { level, isIndispensable } = recordById.get(name)!
    if (level === 'trial' && site !== null) throw refuse.bad('recordOfTrial')
    if (!isApplicable && isIndispensable) throw refuse.bad('recordIndispensable')
    if (!isApplicable && reason === null) throw refuse.bad('exemptionReasonMissing')
    const before = exemptionOf(db, trial._id, site, name)
    if (before) deleteExemption(db, before._id)
    const by = { createdAt: now, createdBy: caller.user._id, createdByName: caller.user.name }
    const exemption = isApplicable
      ? null
      : insertExemption(db, { _id: id(), ...by, trial: trial._id, site, record: name, reason: reason! })
    const siteId = site === null ? null : sitesById(db, [site])[0]!.id
    record(fileEntry({ site }, { record: name, siteId, before: before ?? null, after: exemption }))
    return { exemption }
  },
})

export const fileChecklistOperations = [readChecklist, setApplicability] as const
