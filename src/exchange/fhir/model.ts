import { anything, keyed, maybe, oneOf, shape, text, whole, withDescription } from '#wire/schema'

/** A resource of FHIR R4, whose specification says which fields it has. */
export const FhirResource = withDescription(
  'A resource of FHIR R4 (4.0.1), or a Bundle of them. `http://hl7.org/fhir/R4/` has its fields.',
  keyed(anything()),
)

/** The most resources of a page. */
const MOST = 200

const common = {
  _id: maybe(withDescription('One or more ids, separated by commas.', text(1, 5_000))),
  _count: maybe(withDescription('The most resources of a page; the default is 50.', whole(1, MOST))),
  _after: maybe(withDescription('Where the page begins: follow the link `next` instead of setting it.', text(1, 60))),
  // Many clients send the + as it is, which means a space.
  _format: maybe(oneOf('json', 'application/json', 'application/fhir+json', 'application/fhir json')),
}

/** A search by ids alone. */
export const SearchQuery = () => shape({ ...common })

const reference = (type: string) => maybe(withDescription(`An id, or \`${type}/<id>\`.`, text(1, 500)))

export const ResponseQuery = () =>
  shape({
    ...common,
    subject: reference('Patient'),
    patient: reference('Patient'),
    questionnaire: reference('Questionnaire'),
  })

const identifier = maybe(withDescription('The participant ID, or `<system>|<participant ID>`.', text(1, 500)))

export const PatientQuery = () => shape({ ...common, identifier })

export const SubjectQuery = () =>
  shape({
    ...common,
    identifier,
    individual: reference('Patient'),
    patient: reference('Patient'),
    study: reference('ResearchStudy'),
  })

export const ConsentQuery = () => shape({ ...common, patient: reference('Patient') })

/** What a read may ask for. */
export const ReadQuery = () => shape({ _format: common._format })
