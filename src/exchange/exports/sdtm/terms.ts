/**
 * The code lists of CDISC Controlled Terminology that the mapping uses, with the codes of the NCI Thesaurus. A term without a code is an
 * extension of the sponsor; one whose code is empty is published, and its code must be added by the person who completes the define.xml.
 */

export type Term = { value: string; code?: string; decode?: string }
export type CodeListSource = { name: string; code?: string; terms: readonly Term[] }

const terms = (...pairs: [value: string, code?: string, decode?: string][]): Term[] =>
  pairs.map(([value, code, decode]) => ({
    value,
    ...(code === undefined ? {} : { code }),
    ...(decode === undefined ? {} : { decode }),
  }))

export const codeLists = {
  NY: { name: 'No Yes Response', code: 'C66742', terms: terms(['N', 'C49487', 'No'], ['Y', 'C49488', 'Yes']) },
  SEX: {
    name: 'Sex',
    code: 'C66731',
    terms: terms(
      ['F', 'C16576', 'Female'],
      ['M', 'C20197', 'Male'],
      ['INTERSEX', 'C45908', 'Intersex'],
      ['U', 'C17998', 'Unknown'],
    ),
  },
  AGEU: { name: 'Age Unit', code: 'C66781', terms: terms(['YEARS', 'C29848', 'Years']) },
  ARMNULRS: {
    name: 'Arm Null Reason',
    code: 'C142179',
    terms: terms(['NOT ASSIGNED', ''], ['BLINDED']),
  },
  AESEV: {
    name: 'Severity/Intensity Scale for Adverse Events',
    code: 'C66769',
    terms: terms(['MILD', 'C41338'], ['MODERATE', 'C41339'], ['SEVERE', 'C41340']),
  },
  ACN: {
    name: 'Action Taken with Study Treatment',
    code: 'C66767',
    terms: terms(
      ['DOSE INCREASED', 'C49503'],
      ['DOSE NOT CHANGED', 'C49504'],
      ['DOSE REDUCED', 'C49505'],
      ['DRUG INTERRUPTED', 'C49501'],
      ['DRUG WITHDRAWN', 'C49502'],
      ['NOT APPLICABLE', 'C48660'],
      ['UNKNOWN', 'C17998'],
    ),
  },
  OUT: {
    name: 'Outcome of Event',
    code: 'C66768',
    terms: terms(
      ['FATAL', 'C48275'],
      ['NOT RECOVERED/NOT RESOLVED', 'C49494'],
      ['RECOVERED/RESOLVED', 'C49498'],
      ['RECOVERED/RESOLVED WITH SEQUELAE', 'C49495'],
      ['RECOVERING/RESOLVING', 'C49496'],
      ['UNKNOWN', 'C17998'],
    ),
  },
  FREQ: {
    name: 'Frequency',
    code: 'C71113',
    terms: terms(
      ['ONCE', 'C64576'],
      ['QD', 'C25473'],
      ['BID', 'C64496'],
      ['TID', 'C64527'],
      ['QID', 'C64530'],
      ['QOD', 'C64525'],
      ['WEEKLY'],
      ['QM', 'C64498'],
      ['PRN', 'C64499'],
      ['OTHER'],
    ),
  },
  ROUTE: {
    name: 'Route of Administration Response',
    code: 'C66729',
    terms: terms(
      ['ORAL', 'C38288'],
      ['INTRAVENOUS', 'C38276'],
      ['INTRAMUSCULAR', 'C28161'],
      ['SUBCUTANEOUS', 'C38299'],
      ['RESPIRATORY (INHALATION)', 'C38216'],
      ['TOPICAL', 'C38304'],
      ['TRANSDERMAL', 'C38305'],
      ['NASAL', 'C38284'],
      ['OPHTHALMIC', 'C38287'],
      ['RECTAL', 'C38295'],
      ['OTHER'],
    ),
  },
  DSCAT: {
    name: 'Category of Disposition Event',
    code: 'C74558',
    terms: terms(['DISPOSITION EVENT', 'C74590'], ['OTHER EVENT', ''], ['PROTOCOL MILESTONE', 'C74588']),
  },
  DSDECOD: {
    name: 'Disposition events and milestones',
    terms: terms(
      ['INFORMED CONSENT OBTAINED', 'C16735'],
      ['RANDOMIZED', 'C114209'],
      ['REGISTERED'],
      ['WITHDRAWN'],
      ['COMPLETED', 'C25250'],
      ['ADVERSE EVENT', 'C41331'],
      ['DEATH', 'C28554'],
      ['LACK OF EFFICACY', 'C48226'],
      ['LOST TO FOLLOW-UP', 'C48227'],
      ['PHYSICIAN DECISION', 'C48250'],
      ['PREGNANCY', 'C25742'],
      ['PROTOCOL DEVIATION', 'C48251'],
      ['STUDY TERMINATED BY SPONSOR', 'C49632'],
      ['WITHDRAWAL BY SUBJECT', 'C49634'],
      ['OTHER', 'C17649'],
    ),
  },
  POSITION: {
    name: 'Position',
    code: 'C71148',
    terms: terms(['SITTING', 'C62122'], ['STANDING', 'C62166'], ['SUPINE', 'C62167']),
  },
  VSTESTCD: {
    name: 'Vital Signs Test Code',
    code: 'C66741',
    terms: terms(
      ['BMI', 'C16358', 'Body Mass Index'],
      ['DIABP', 'C25299', 'Diastolic Blood Pressure'],
      ['HEIGHT', 'C25347', 'Height'],
      ['MAP', 'C49679', 'Mean Arterial Pressure'],
      ['OXYSAT', 'C60832', 'Oxygen Saturation'],
      ['PULSE', 'C49676', 'Pulse Rate'],
      ['RESP', 'C49678', 'Respiratory Rate'],
      ['SYSBP', 'C25298', 'Systolic Blood Pressure'],
      ['TEMP', 'C25206', 'Temperature'],
      ['WEIGHT', 'C25208', 'Weight'],
    ),
  },
  VSTEST: {
    name: 'Vital Signs Test Name',
    code: 'C67153',
    terms: terms(
      ['Body Mass Index', 'C16358'],
      ['Diastolic Blood Pressure', 'C25299'],
      ['Height', 'C25347'],
      ['Mean Arterial Pressure', 'C49679'],
      ['Oxygen Saturation', 'C60832'],
      ['Pulse Rate', 'C49676'],
      ['Respiratory Rate', 'C49678'],
      ['Systolic Blood Pressure', 'C25298'],
      ['Temperature', 'C25206'],
      ['Weight', 'C25208'],
    ),
  },
  VSRESU: {
    name: 'Units for Vital Signs Results',
    code: 'C66770',
    terms: terms(
      ['%', 'C25613'],
      ['C', 'C42559'],
      ['beats/min', 'C49673'],
      ['breaths/min', 'C49674'],
      ['cm', 'C49668'],
      ['kg', 'C28252'],
      ['kg/m2', 'C49671'],
      ['mmHg', 'C49670'],
    ),
  },
} as const satisfies Record<string, CodeListSource>

export type CodeListName = keyof typeof codeLists
