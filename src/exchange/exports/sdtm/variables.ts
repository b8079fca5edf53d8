/** The domains that an export in the shape of SDTM has, with their variables in the order of SDTMIG 3.4. */
import type { CodeListName } from './terms'

export const domainNames = ['DM', 'SV', 'DS', 'AE', 'CM', 'VS', 'QS'] as const
export type DomainName = (typeof domainNames)[number]

/** Where a value is from, in the words of Define-XML. */
export type Origin = 'Investigator' | 'Subject' | 'Assigned' | 'Derived' | 'Protocol' | 'Not Available'

/** The lists that are made from the questionnaires of the study. */
export type ListName = CodeListName | 'QSTESTCD' | 'QSTEST' | 'QSCAT' | 'ARM' | 'ARMCD'

export type DomainVariable = {
  name: string
  label: string
  isText: boolean
  /** Required, expected or permissible. A permissible one without values is left out. */
  core: 'R' | 'E' | 'P'
  origin: Origin
  list?: ListName
  /** How it is derived, or what its values are. */
  method?: string
}

type VariableExtras = Partial<Pick<DomainVariable, 'list' | 'method'>>

export const text = (
  core: 'R' | 'E' | 'P',
  name: string,
  label: string,
  origin: Origin,
  more: VariableExtras = {},
): DomainVariable => ({
  ...{ name, label, isText: true, core, origin },
  ...more,
})
const number = (...given: Parameters<typeof text>): DomainVariable => ({ ...text(...given), isText: false })

export const STUDYID = text('R', 'STUDYID', 'Study Identifier', 'Protocol')
const DOMAIN = text('R', 'DOMAIN', 'Domain Abbreviation', 'Assigned')
export const USUBJID = text('R', 'USUBJID', 'Unique Subject Identifier', 'Derived', {
  method: 'STUDYID, a hyphen, and SUBJID.',
})
const first = [STUDYID, DOMAIN, USUBJID]

const seq = (domain: string) =>
  number('R', `${domain}SEQ`, 'Sequence Number', 'Derived', {
    method: 'The number of the record of the subject, from 1.',
  })
const group = (domain: string) =>
  text('P', `${domain}GRPID`, 'Group ID', 'Derived', {
    method: 'The number of the form of the subject in this domain: records of one form have the same.',
  })
const day = (name: string, label: string, of: string) =>
  number('P', name, label, 'Derived', {
    method: `The days from the date of RFSTDTC to that of ${of}, plus 1 if it is not earlier.`,
  })
const visit = [
  number('E', 'VISITNUM', 'Visit Number', 'Assigned'),
  text('P', 'VISIT', 'Visit Name', 'Assigned'),
] as const
const unavailable = (name: string, label: string, core: 'R' | 'E' = 'E') => text(core, name, label, 'Not Available')
const unavailableCode = (name: string, label: string) => number('E', name, label, 'Not Available')

const REFERENCE =
  'The day of the first allocation. In a study without a randomisation, the day of registration. Not the first exposure.'
const END = 'The date of the end-of-study form.'

export const variablesOf: Record<DomainName, readonly DomainVariable[]> = {
  DM: [
    ...first,
    text('R', 'SUBJID', 'Subject Identifier for the Study', 'Assigned'),
    text('E', 'RFSTDTC', 'Subject Reference Start Date/Time', 'Derived', { method: REFERENCE }),
    text('E', 'RFENDTC', 'Subject Reference End Date/Time', 'Derived', { method: END }),
    unavailable('RFXSTDTC', 'Date/Time of First Study Treatment'),
    unavailable('RFXENDTC', 'Date/Time of Last Study Treatment'),
    text('E', 'RFICDTC', 'Date/Time of Informed Consent', 'Investigator'),
    text('E', 'RFPENDTC', 'Date/Time of End of Participation', 'Derived', { method: END }),
    text('E', 'DTHDTC', 'Date/Time of Death', 'Derived', {
      method:
        'The date of the end-of-study form that says that the subject died, else the end of the fatal adverse event.',
    }),
    text('E', 'DTHFL', 'Subject Death Flag', 'Derived', {
      list: 'NY',
      method: 'Y if the outcome of an adverse event is fatal, or the end-of-study form says that the subject died.',
    }),
    text('R', 'SITEID', 'Study Site Identifier', 'Assigned'),
    text('P', 'BRTHDTC', 'Date/Time of Birth', 'Investigator'),
    number('E', 'AGE', 'Age', 'Derived', { method: 'Whole years from the birth to the date of the form.' }),
    text('E', 'AGEU', 'Age Units', 'Assigned', { list: 'AGEU' }),
    text('R', 'SEX', 'Sex', 'Investigator', { list: 'SEX' }),
    unavailable('RACE', 'Race'),
    text('E', 'ARMCD', 'Planned Arm Code', 'Assigned', { list: 'ARMCD' }),
    text('E', 'ARM', 'Description of Planned Arm', 'Assigned', { list: 'ARM' }),
    unavailable('ACTARMCD', 'Actual Arm Code'),
    unavailable('ACTARM', 'Description of Actual Arm'),
    text('E', 'ARMNRS', 'Reason Arm and/or Actual Arm is Null', 'Assigned', { list: 'ARMNULRS' }),
    unavailable('ACTARMUD', 'Description of Unplanned Actual Arm'),
    unavailable('COUNTRY', 'Country', 'R'),
    text('P', 'DMDTC', 'Date/Time of Collection', 'Investigator'),
    day('DMDY', 'Study Day of Collection', 'DMDTC'),
  ],
  SV: [
    ...first,
    ...visit,
    text('E', 'SVPRESP', 'Pre-specified', 'Assigned', { list: 'NY' }),
    text('E', 'SVOCCUR', 'Occurrence', 'Assigned', { list: 'NY' }),
    text('E', 'SVSTDTC', 'Start Date/Time of Observation', 'Derived', {
      method: 'When the first form of the visit was recorded.',
    }),
    text('E', 'SVENDTC', 'End Date/Time of Observation', 'Derived', {
      method: 'When the last form of the visit was recorded.',
    }),
    day('SVSTDY', 'Study Day of Start of Observation', 'SVSTDTC'),
    day('SVENDY', 'Study Day of End of Observation', 'SVENDTC'),
  ],
  DS: [
    ...first,
    seq('DS'),
    text('R', 'DSTERM', 'Reported Term for the Disposition Event', 'Investigator'),
    text('R', 'DSDECOD', 'Standardized Disposition Term', 'Assigned', { list: 'DSDECOD' }),
    text('E', 'DSCAT', 'Category for Disposition Event', 'Assigned', { list: 'DSCAT' }),
    text('E', 'DSSTDTC', 'Start Date/Time of Disposition Event', 'Investigator'),
    day('DSSTDY', 'Study Day of Start of Disposition Event', 'DSSTDTC'),
  ],
  AE: [
    ...first,
    seq('AE'),
    text('R', 'AETERM', 'Reported Term for the Adverse Event', 'Investigator'),
    unavailable('AELLT', 'Lowest Level Term'),
    unavailableCode('AELLTCD', 'Lowest Level Term Code'),
    unavailable('AEDECOD', 'Dictionary-Derived Term', 'R'),
    unavailableCode('AEPTCD', 'Preferred Term Code'),
    unavailable('AEHLT', 'High Level Term'),
    unavailableCode('AEHLTCD', 'High Level Term Code'),
    unavailable('AEHLGT', 'High Level Group Term'),
    unavailableCode('AEHLGTCD', 'High Level Group Term Code'),
    unavailable('AEBODSYS', 'Body System or Organ Class'),
    unavailableCode('AEBDSYCD', 'Body System or Organ Class Code'),
    unavailable('AESOC', 'Primary System Organ Class'),
    unavailableCode('AESOCCD', 'Primary System Organ Class Code'),
    text('P', 'AESEV', 'Severity/Intensity', 'Investigator', { list: 'AESEV' }),
    text('E', 'AESER', 'Serious Event', 'Investigator', { list: 'NY' }),
    text('E', 'AEACN', 'Action Taken with Study Treatment', 'Investigator', { list: 'ACN' }),
    text('E', 'AEREL', 'Causality', 'Investigator'),
    text('P', 'AEOUT', 'Outcome of Adverse Event', 'Investigator', { list: 'OUT' }),
    text('P', 'AESCONG', 'Congenital Anomaly or Birth Defect', 'Investigator', { list: 'NY' }),
    text('P', 'AESDISAB', 'Persist or Signif Disability/Incapacity', 'Investigator', { list: 'NY' }),
    text('P', 'AESDTH', 'Results in Death', 'Investigator', { list: 'NY' }),
    text('P', 'AESHOSP', 'Requires or Prolongs Hospitalization', 'Investigator', { list: 'NY' }),
    text('P', 'AESLIFE', 'Is Life Threatening', 'Investigator', { list: 'NY' }),
    text('P', 'AESMIE', 'Other Medically Important Serious Event', 'Investigator', { list: 'NY' }),
    text('P', 'AECONTRT', 'Concomitant or Additional Trtmnt Given', 'Investigator', { list: 'NY' }),
    text('E', 'AESTDTC', 'Start Date/Time of Adverse Event', 'Investigator'),
    text('E', 'AEENDTC', 'End Date/Time of Adverse Event', 'Investigator'),
    day('AESTDY', 'Study Day of Start of Adverse Event', 'AESTDTC'),
    day('AEENDY', 'Study Day of End of Adverse Event', 'AEENDTC'),
  ],
  CM: [
    ...first,
    seq('CM'),
    group('CM'),
    text('R', 'CMTRT', 'Reported Name of Drug, Med, or Therapy', 'Investigator'),
    text('P', 'CMINDC', 'Indication', 'Investigator'),
    number('P', 'CMDOSE', 'Dose per Administration', 'Investigator'),
    text('P', 'CMDOSU', 'Dose Units', 'Investigator'),
    text('P', 'CMDOSFRQ', 'Dosing Frequency per Interval', 'Investigator', { list: 'FREQ' }),
    text('P', 'CMROUTE', 'Route of Administration', 'Investigator', { list: 'ROUTE' }),
    text('E', 'CMSTDTC', 'Start Date/Time of Medication', 'Investigator'),
    text('E', 'CMENDTC', 'End Date/Time of Medication', 'Investigator'),
    day('CMSTDY', 'Study Day of Start of Medication', 'CMSTDTC'),
    day('CMENDY', 'Study Day of End of Medication', 'CMENDTC'),
  ],
  VS: [
    ...first,
    seq('VS'),
    group('VS'),
    text('R', 'VSTESTCD', 'Vital Signs Test Short Name', 'Assigned', { list: 'VSTESTCD' }),
    text('R', 'VSTEST', 'Vital Signs Test Name', 'Assigned', { list: 'VSTEST' }),
    text('P', 'VSPOS', 'Vital Signs Position of Subject', 'Investigator', { list: 'POSITION' }),
    text('E', 'VSORRES', 'Result or Finding in Original Units', 'Investigator'),
    text('E', 'VSORRESU', 'Original Units', 'Assigned', { list: 'VSRESU' }),
    text('E', 'VSSTRESC', 'Character Result/Finding in Std Format', 'Derived', {
      method: 'As VSORRES; of derived records the result.',
    }),
    number('E', 'VSSTRESN', 'Numeric Result/Finding in Standard Units', 'Derived', { method: 'VSSTRESC as a number.' }),
    text('E', 'VSSTRESU', 'Standard Units', 'Assigned', { list: 'VSRESU' }),
    unavailable('VSLOBXFL', 'Last Observation Before Exposure Flag'),
    text('P', 'VSDRVFL', 'Derived Flag', 'Assigned', { list: 'NY' }),
    ...visit,
    text('E', 'VSDTC', 'Date/Time of Measurements', 'Investigator'),
    day('VSDY', 'Study Day of Vital Signs', 'VSDTC'),
  ],
  QS: [
    ...first,
    seq('QS'),
    group('QS'),
    text('R', 'QSTESTCD', 'Question Short Name', 'Assigned', { list: 'QSTESTCD' }),
    text('R', 'QSTEST', 'Question Name', 'Assigned', { list: 'QSTEST' }),
    text('R', 'QSCAT', 'Category of Question', 'Assigned', { list: 'QSCAT' }),
    text('E', 'QSORRES', 'Finding in Original Units', 'Subject'),
    text('E', 'QSSTRESC', 'Character Result/Finding in Std Format', 'Derived', {
      method: 'The score of the answer; without one, the answer. Of derived records the result.',
    }),
    number('E', 'QSSTRESN', 'Numeric Finding in Standard Units', 'Derived', {
      method: 'QSSTRESC as a number, if it is one.',
    }),
    unavailable('QSLOBXFL', 'Last Observation Before Exposure Flag'),
    text('P', 'QSDRVFL', 'Derived Flag', 'Assigned', { list: 'NY' }),
    ...visit,
    text('E', 'QSDTC', 'Date/Time of Finding', 'Derived', {
      method: 'When the form was filled in, else when it was recorded.',
    }),
    day('QSDY', 'Study Day of Finding', 'QSDTC'),
  ],
}

/** Short names of variables in SDTMIG 3.4 that no domain here has, without the two letters of the domain. */
const OTHER_VARIABLES: readonly string[] = [
  ...[
    'SEQ',
    'CAT',
    'LOC',
    'LAT',
    'DIR',
    'POS',
    'DY',
    'DUR',
    'TPT',
    'DTC',
    'PRE',
    'SEV',
    'SER',
    'REL',
    'ACN',
    'OUT',
    'PAT',
  ],
  ...['OBJ', 'TOX', 'TRT', 'MOD', 'FRM', 'ROU', 'IND', 'CLAS', 'ORD', 'NAM', 'MET', 'LOB', 'FAST', 'DRV', 'STAT'],
]

/** The names that variables of a domain have in SDTMIG 3.4, as far as a qualifier could be called so. */
export const namesIn = (domain: DomainName): string[] => [
  ...variablesOf[domain].map(({ name }) => name),
  ...['RACE', 'ETHNIC', 'COUNTRY', 'INVID', 'INVNAM', 'EPOCH', 'VISIT', 'VISITNUM', 'VISITDY', 'TAETORD', 'SPDEVID'],
  ...OTHER_VARIABLES.map((end) => `${domain}${end}`),
]
