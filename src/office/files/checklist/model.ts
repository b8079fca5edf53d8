/** The checklist of essential records on the wire (docs/essential-records.md, "The checklist"). */
import { fileTypes, versionStatuses } from '#office/files/model'
import * as t from '#wire/schema'
import { essentialRecords } from './records'
import { sources, stages } from './recordType'
import { states } from './rules'
import { MOST_FILES } from './store'

/** The most places in a page of the checklist. */
const PLACES = 50
const PLACES_USUALLY = 20

export const ChecklistQuery = t.shape({
  page: t.maybe(t.whole(1, 1_000_000)),
  perPage: t.maybe(t.withDescription(`Places in a page; the default is ${PLACES_USUALLY}.`, t.whole(1, PLACES))),
  site: t.maybe(t.withDescription('A site, or `none` for the whole trial.', t.either(t.id(), t.oneOf('none')))),
  lacking: t.maybe(t.withDescription('Whether only the records that are lacking are listed.', t.flag())),
})
export const perPageOf = ({ perPage = PLACES_USUALLY }: { perPage?: number }) => perPage

const recordId = () => t.oneOf(...essentialRecords.map((record) => record.id))
const stage = () => t.oneOf(...stages)

const Definition = t.shape('EssentialRecord', {
  record: recordId(),
  title: t.withDescription('In the language of the caller.', t.text(1, 300)),
  references: t.withDescription('Where the guidelines name it.', t.list(t.text(1, 100), 20)),
  level: t.withDescription('Whether the trial has one, or each site.', t.oneOf('trial', 'site')),
  due: t.withDescription('The stage in which it must be there.', t.oneOf('before', 'during', 'after')),
  types: t.withDescription('Types of files each of which is such a record.', t.list(t.oneOf(...fileTypes), 30)),
  words: t.withDescription('Beginnings of names of such files, and tags.', t.list(t.text(1, 100), 100)),
  isConditional: t.withDescription('It exists only if something happened, such as an amendment.', t.flag()),
  isIndispensable: t.withDescription('Nobody can say that it is not applicable.', t.flag()),
  isPersonal: t.withDescription('Each person has one: none of them may have expired.', t.flag()),
  source: t.withDescription('The part of Trialbox that holds it, too.', t.orNull(t.oneOf(...sources))),
})

const Exemption = t.shape('RecordExemption', {
  record: recordId(),
  site: t.withDescription('Null for the trial, or of a record of the sites for all of them.', t.orNull(t.id())),
  reason: t.text(1, 500),
  createdAt: t.instant(),
  createdBy: t.id(),
  createdByName: t.text(0, 1000),
})

const Entry = t.shape('ChecklistEntry', {
  record: recordId(),
  state: t.withDescription(
    'missing, expired and notApproved: it is lacking. expiring: within 30 days. none: nothing happened yet that needs one. hidden: it may be kept where you may not read.',
    t.oneOf(...states),
  ),
  files: t.withDescription(
    'At most 10 files, the ones that are valid longest first. `expiresAt` is that of the newest approved version.',
    t.list(
      t.shape('ChecklistFile', {
        _id: t.id(),
        name: t.oneLine(1, 300),
        status: t.orNull(t.oneOf(...versionStatuses)),
        expiresAt: t.orNull(t.day()),
      }),
      MOST_FILES,
    ),
  ),
  outdated: t.withDescription(
    'Of a record that each person has: what expires within 30 days or has expired. `file` is null for an entry of a training log.',
    t.list(t.shape('OutdatedRecord', { file: t.orNull(t.id()), name: t.oneLine(1, 2000), expiresAt: t.day() }), 10_000),
  ),
  exemption: t.orNull(Exemption),
})

export const ChecklistPage = t.shape('Checklist', {
  stage: t.withDescription('That of the trial.', stage()),
  today: t.withDescription('In the zone of the trial.', t.day()),
  records: t.list(Definition, 1000),
  places: t.withDescription(
    'The whole trial first, if you may read its files, then the sites.',
    t.list(
      t.shape('ChecklistPlace', {
        site: t.orNull(t.id()),
        stage: stage(),
        lacking: t.withDescription('How many records are lacking.', t.whole(0)),
        entries: t.list(Entry, 1000),
      }),
      PLACES,
    ),
  ),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})

export const ExemptionInput = t.shape('RecordExemptionInput', {
  record: recordId(),
  site: t.maybe(t.withDescription('Of a record of the sites, null or nothing means all sites.', t.orNull(t.id()))),
  isApplicable: t.withDescription('False if the trial or the site does not need the record.', t.flag()),
  reason: t.maybe(t.withDescription('Required if it is not applicable.', t.orNull(t.text(1, 500)))),
})

export const Applicability = t.shape('RecordApplicability', {
  exemption: t.withDescription('Null if the record is applicable.', t.orNull(Exemption)),
})
