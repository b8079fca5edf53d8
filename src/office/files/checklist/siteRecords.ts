/** The essential records of each site. See `records.ts`. */
import type { EssentialRecord } from './recordType'

// biome-ignore format: a table
export const siteRecords: readonly EssentialRecord[] = [
  { id: 'siteSelection', sections: ['8.2.19'], due: 'before', types: [], source: 'selectionVisits',
    words: [
      'site selection', 'site qualification', 'feasibility', 'pre-trial monitoring', 'zentrumsauswahl',
      'selección del centro', 'sélection du centre',
    ] },
  { id: 'siteProtocolSignature', sections: ['8.2.2', '8.3.2'], due: 'before', types: ['protocol'], isIndispensable: true,
    words: ['protocol signature', 'signature page', 'unterschriftenseite', 'página de firmas', 'page de signature'] },
  { id: 'siteAgreement', sections: ['8.2.6'], due: 'before', types: ['contract'],
    words: ['site agreement', 'clinical trial agreement', 'agreement', 'contract', 'prüfzentrumsvertrag', 'vertrag', 'contrato', 'contrat', 'convention'] },
  { id: 'siteFinancialAspects', sections: ['8.2.4'], due: 'before', types: ['financial'], isConditional: true,
    words: ['financial disclosure', 'financial agreement', 'budget', 'declaration of interests'] },
  { id: 'siteEthicsOpinion', sections: ['8.2.7', '8.3.3'], due: 'before', types: ['ethics', 'hra', 'researchAndDevelopment'],
    words: [
      'ethics approval', 'ethics opinion', 'irb approval', 'iec approval', 'ethikvotum', 'votum', 'dictamen',
      'avis favorable', 'capacity and capability',
    ] },
  { id: 'siteConsentForm', sections: ['8.2.3', '8.3.2'], due: 'before', types: [],
    words: [
      'informed consent', 'informed consent form', 'icf', 'consent form', 'participant information', 'patient information',
      'information sheet', 'pis', 'einwilligungserklärung', 'patienteninformation', 'teilnehmerinformation',
      'consentimiento informado', 'hoja de información', 'formulaire de consentement', 'note d’information', "note d'information",
    ] },
  { id: 'qualifications', sections: ['8.2.10', '8.3.5'], due: 'before', types: ['cv'], isIndispensable: true, isPersonal: true,
    words: ['cv', 'curriculum vitae', 'medical licence', 'medical license', 'lebenslauf', 'approbation', 'currículum'] },
  { id: 'delegationLog', sections: ['8.3.24'], due: 'before', types: [], isIndispensable: true, source: 'delegations',
    words: [
      'delegation log', 'delegation', 'signature sheet', 'delegationsprotokoll', 'delegationsliste', 'registro de delegación',
      'registre de délégation',
    ] },
  { id: 'trainingRecords', sections: [], due: 'before', types: [], isIndispensable: true, isPersonal: true, source: 'trainings',
    words: [
      'gcp', 'gcp certificate', 'gcp training', 'training', 'training log', 'training record', 'schulung',
      'schulungsnachweis', 'formación', 'formation', 'bpc',
    ] },
  { id: 'laboratoryRanges', sections: ['8.2.11', '8.3.6'], due: 'before', types: [],
    words: [
      'normal values', 'normal ranges', 'reference ranges', 'lab ranges', 'laboratory ranges', 'normwerte',
      'referenzbereiche', 'valores normales', 'valeurs normales',
    ] },
  { id: 'laboratoryAccreditation', sections: ['8.2.12', '8.3.7'], due: 'before', types: ['laboratory'],
    words: [
      'accreditation', 'lab accreditation', 'laboratory accreditation', 'lab certification', 'laboratory certification',
      'calibration', 'calibration certificate', 'akkreditierung', 'kalibrierung', 'acreditación', 'accréditation',
    ] },
  { id: 'productShipment', sections: ['8.2.15', '8.3.8'], due: 'before', types: [], source: 'packs',
    words: ['shipment', 'shipping record', 'shipping records', 'delivery note', 'lieferschein', 'albarán', 'bon de livraison'] },
  { id: 'siteInitiation', sections: ['8.2.20'], due: 'before', types: [],
    words: [
      'site initiation', 'initiation', 'initiation visit', 'initiation report', 'siv', 'initiierung', 'initiierungsbericht',
      'visita de inicio', 'visite de mise en place',
    ] },
  { id: 'monitoringReports', sections: ['8.3.10'], due: 'during', types: ['monitoringAndAudit'], source: 'monitoringVisits',
    words: ['monitoring report', 'monitoring visit', 'monitoring visit report', 'monitoringbericht', 'informe de monitorización', 'rapport de monitoring'] },
  { id: 'signedConsent', sections: ['8.3.12'], due: 'during', types: [],
    words: ['signed consent', 'signed consents', 'signed informed consent', 'unterschriebene einwilligung', 'consentimiento firmado', 'consentement signé'] },
  { id: 'participantLogs', sections: ['8.3.20', '8.3.21', '8.3.22', '8.4.3'], due: 'during', types: [], source: 'participants',
    words: [
      'screening log', 'enrolment log', 'enrollment log', 'identification code list', 'participant identification',
      'screeningliste', 'identifikationsliste', 'lista de inclusión', "liste d'inclusion", 'liste d’inclusion',
    ] },
  { id: 'sourceAndCaseReports', sections: ['8.3.13', '8.3.14', '8.3.15'], due: 'during', types: [], source: 'responses',
    words: ['source data', 'source documents', 'source agreement', 'completed crf', 'quelldaten', 'datos fuente', 'données source'] },
  { id: 'seriousEvents', sections: ['8.3.16'], due: 'during', types: [], isConditional: true,
    words: ['sae', 'saes', 'sae report', 'serious adverse event', 'serious adverse events', 'sue'] },
  { id: 'productAccountability', sections: ['8.3.23', '8.4.1'], due: 'during', types: [], source: 'packs',
    words: [
      'accountability', 'accountability log', 'drug accountability', 'imp accountability', 'dispensing log',
      'abgabeprotokoll', 'contabilidad', 'comptabilité',
    ] },
  { id: 'samples', sections: ['8.3.25'], due: 'during', types: [], isConditional: true,
    words: ['sample log', 'retained samples', 'biological samples', 'specimen', 'probenliste', 'muestras', 'échantillons'] },
  { id: 'closeOut', sections: ['8.4.5'], due: 'after', types: [],
    words: [
      'close-out', 'closeout', 'close out', 'close-out report', 'close-out visit', 'abschlussvisite', 'visita de cierre',
      'visite de clôture',
    ] },
]
