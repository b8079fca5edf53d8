/** Lists and files of packs: the list, its csv, the accountability log, and the import (docs/packs.md). */
import { join } from 'node:path'
import { packAllKeys } from '#access/packedAccess'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { responseWith, startFile } from '#jobs/fileWork'
import { performForRequest } from '#jobs/perform'
import { newSecret, sha256 } from '#kernel/id'
import { pagePositionText, readPagePosition } from '#kernel/pagePosition'
import { instantText } from '#kernel/time'
import { PAGE, PackPage } from '#office/packs/model'
import { pageOfSearch, searchOf } from '#office/packs/page'
import { createExportLink } from '#storage/exportLinks'
import { newStoredName } from '#storage/names'
import { byQuery } from '#wire/schema'
import { nextTurn } from '#writers/stream'
import { balancesFor, linesOf, packIdsFor } from './account'
import { publishPacks, writePacks } from './importPacks'
import { exportPackAccount, exportPacks } from './job'
import {
  Accountability,
  AccountabilityFile,
  AccountQuery,
  ListQuery,
  PackCsv,
  PackImport,
  PackImportResult,
} from './model'
import { prepareOnce } from './runningImports'

const READ = anywhere('trial.listPacks')

const listPacks = operation({
  id: 'listPacks',
  method: 'GET',
  path: '/trials/:trialId/packs',
  summary: 'List, search and filter the packs of a trial',
  description:
    'Oldest first, or by expiry date with `expiringBefore`; 1000 a page, and `next` is the `after` of the next page. `format=csv` returns the whole filtered list as `{csv}`, which is logged as an export. Accounts that are limited to sites see the packs of these sites only.',
  scope: trial,
  needs: READ,
  logs: ({ format }) => (format === 'csv' ? 'exportPacks' : undefined),
  reads: (answer) => ('packs' in answer ? answer.packs.map(({ participant }) => participant) : 'filter'),
  query: ListQuery,
  returns: byQuery('format', PackPage, { csv: PackCsv }),
  streams: true,
  prepare: async ({ services, caller, trial, access, query }) => {
    const { format, after: _, perPage: __, ...filter } = query
    if (!format) return undefined
    const task = { trial: trial._id, access: packAllKeys(access), file: newSecret(), filter }
    return startFile(services, exportPacks, task, caller)
  },
  run: ({ services, db, trial, access, query, prepared, record }) => {
    const { format, after, perPage, ...filter } = query
    if (!prepared) return pageOfSearch(db, access, searchOf(db, trial._id, access, filter), { after, perPage })
    record({ event: { format, filters: filter } })
    return responseWith(join(services.storage.exports, prepared.file), prepared)
  },
})

const readAccountability = operation({
  id: 'readPackAccountability',
  method: 'GET',
  path: '/trials/:trialId/packs/accountability',
  summary: 'Read the accountability log of packs, by site and type',
  description:
    'The balance of each place and type, and what became of each pack that is or was there. With `format` the whole log: csv as `{csv}`, pdf as a link. Accounts that are limited to sites get the log of these sites.',
  scope: trial,
  needs: READ,
  logs: ({ format }) => (format === undefined ? undefined : 'exportPackAccountability'),
  reads: 'filter',
  query: AccountQuery,
  returns: byQuery('format', Accountability, { csv: PackCsv, pdf: AccountabilityFile }),
  streams: true,
  prepare: async ({ services, caller, trial, access, now, query }) => {
    const { format, site, packType } = query
    if (!format) return undefined
    const file = format === 'pdf' ? newStoredName('accountability.pdf', now) : newSecret()
    const target = { trial: trial._id, access: packAllKeys(access), file, format, at: now }
    const task = { ...target, ...(site === undefined ? {} : { site }), ...(packType === undefined ? {} : { packType }) }
    if (format === 'csv') return { csv: await startFile(services, exportPackAccount, task, caller) } as const
    return { pdf: file, ...(await performForRequest(services, exportPackAccount, task, caller)) }
  },
  run: (context) => {
    const { services, db, now, trial, access, query, prepared, record } = context
    const { format, site, packType, after, perPage = PAGE } = query
    const filter = { trial: trial._id, site, packType }
    if (!prepared) {
      const ids = packIdsFor(db, access, filter, perPage + 1, readPagePosition(after, 1)?.[0])
      const shown = ids.slice(0, perPage)
      const next = ids.length > perPage ? pagePositionText(shown.slice(-1)) : null
      return { balances: balancesFor(db, access, filter), lines: linesOf(db, access, shown, site), next }
    }
    record({ event: { format, filters: { site, packType } } })
    if (prepared.csv) return responseWith(join(services.storage.exports, prepared.csv.file), prepared.csv)
    const { pdf: storedName, bytes: size } = prepared
    const fileName = `${trial.code} packs ${instantText(now).slice(0, 10)}.pdf`
    return {
      request: createExportLink(context, { storedName, name: fileName, type: 'application/pdf', size }),
      fileName,
    }
  },
})

const importPacks = operation({
  id: 'importPacks',
  method: 'POST',
  path: '/trials/:trialId/packs/import',
  summary: 'Create up to 50,000 packs from a csv',
  description:
    'All rows or none: a refusal (422) names the line and the column of each problem. Each pack is recorded as received.',
  scope: trial,
  needs: anywhere('trial.writePacks'),
  logs: 'importPacks',
  body: PackImport,
  maxBodyBytes: 32 << 20,
  returns: PackImportResult,
  prepare: async (context) =>
    prepareOnce(context, async () => {
      const written = await writePacks(context)
      await nextTurn()
      return { ...written, sha256: sha256(context.body.content) }
    }),
  run: (context) => {
    const { body, prepared, record } = context
    const { packs, first, last, sha256 } = prepared
    publishPacks(context, prepared)
    const created = { created: packs.count, sha256 }
    const packTypes = Array.from(packs.types, ({ _id }) => _id)
    record({
      event: {
        ...(body.packType === undefined ? { packTypes } : { packType: body.packType }),
        ...{ ...created, first, last },
      },
    })
    return created
  },
})

export const packRecordOperations = [listPacks, readAccountability, importPacks] as const
