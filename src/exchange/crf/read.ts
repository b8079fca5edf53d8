/** Reads the content of a form in a worker thread. */

import { unpackAccess } from '#access/packedAccess'
import { groupsOfParticipant, sitesOfParticipant } from '#conduct/participants/membershipStore'
import { responseById } from '#conduct/responses/store'
import { readResponse } from '#conduct/responses/views'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { currentVersion } from '#design/configurationVersions/takeVersion'
import type { DataTypeRow } from '#design/dataTypes/store'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { occurrenceDescription, occurrenceName } from '#design/schedule/occurrences'
import { sitesById } from '#design/sites/store'
import type { FormTask } from '#design/stages/files/formTask'
import { trialTextsIn } from '#design/trials/rules'
import { trialById } from '#design/trials/store'
import { found } from '#kernel/problem'
import type { Crf } from './item'
import { crfOf, type FilledResponse } from './layout'

/** The stages and data types in a language, with the translations of options in place of their labels. */
function printedConfiguration(config: Configuration, language: string | null) {
  const { stages, dataTypes } = config.in(language)
  if (language === null) return { stages, dataTypes }
  return { stages, dataTypes: new Map([...dataTypes].map(([_id, each]) => [_id, withShownLabels(each)])) }
}

type OptionOwner = Pick<DataTypeRow, 'options'>

const shownOptions = ({ options }: OptionOwner): OptionOwner =>
  options ? { options: options.map((each) => ({ ...each, label: shownLabel(each) })) } : {}

/** A translated option has its text beside its label. */
const shownLabel = (option: { label: string; text?: string }): string => option.text ?? option.label

const withShownLabels = (type: DataTypeRow): DataTypeRow => ({
  ...type,
  ...shownOptions(type),
  ...(type.columns ? { columns: type.columns.map((each) => ({ ...each, ...shownOptions(each) })) } : {}),
})

/** Reads a form from one state of the database. */
export const formOf = (db: Db, { trial, stage, response, language, now }: FormTask): Crf =>
  db.transaction(() => {
    const row = found(trialById(db, trial), 'trial')
    const { stages, dataTypes } = response
      ? configuration(db, row)
      : printedConfiguration(configuration(db, row), language)
    const blank = found(stages.get(stage), 'stage')
    const name = response ? row.name : trialTextsIn(row, language).name
    const study = { ...row, name, protocolNumber: (row.settings.protocolNumber as string | undefined) ?? null }
    const printing = { now, version: currentVersion(db, row) }
    if (!response) return crfOf(study, blank, dataTypes, printing)
    const { n, filled } = readFilledResponse(db, row, response)
    const named = { ...blank, name: occurrenceName(blank, n), description: occurrenceDescription(blank, n) }
    return crfOf(study, named, dataTypes, printing, filled)
  })

type Row = NonNullable<ReturnType<typeof trialById>>

function readFilledResponse(
  db: Db,
  trial: Row,
  { _id, access }: NonNullable<FormTask['response']>,
): { n: number; filled: FilledResponse } {
  const row = found(responseById(db, _id), 'response')
  const participant = row.participant === null ? undefined : rowById(db, participants, row.participant)
  const sites = participant ? sitesOfParticipant(db, participant._id) : []
  const groups = participant ? groupsOfParticipant(db, participant._id) : []
  const config = configuration(db, trial)
  const unpacked = unpackAccess(access)
  const hidden = hiddenFrom(config, unpacked, { sites, groups })
  // A reader with access to single sites only does not see the names of others.
  const known = sites.filter((site) => unpacked.trial.has('readParticipantStudyData') || unpacked.places.has(site))
  const { response } = readResponse(db, config, row, participant, hidden)
  const values = new Map(Object.entries(response).map(([type, entry]) => [type, (entry as { value: unknown }).value]))
  return {
    n: row.stageRecurrence,
    filled: {
      participant: participant?.id ?? '',
      sites: sitesById(db, known)
        .map(({ name }) => name)
        .join(', '),
      createdAt: row.createdAt,
      zone: zoneOf(participant ?? { timezone: null }, trial),
      values,
      hidden,
    },
  }
}
