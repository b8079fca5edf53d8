import type { consents as en } from '#kernel/refusals/consents'
import type { TranslationOf } from '../translated'

/** Refusals about consents, polls, and the codes that are sent to addresses, in German. */
export const consents = {
  // What needs a consent
  consentMissing: 'Dafür ist zuerst Ihre Einwilligung nötig: Bitte unterschreiben Sie das Einwilligungsformular.',
  consentOutdated: 'Es gibt eine neue Version des Einwilligungsformulars: Bitte unterschreiben Sie zuerst diese.',
  consentWithdrawn: 'Sie haben Ihre Einwilligung widerrufen. Deshalb wird nichts mehr erfasst.',
  participantConsentMissing:
    'Die teilnehmende Person hat das Einwilligungsformular „{form}“ nicht unterschrieben. Um trotzdem fortzufahren, senden Sie `withoutConsentReason`.',
  participantConsentOutdated:
    'Die teilnehmende Person hat eine frühere Version des Einwilligungsformulars „{form}“ unterschrieben und soll noch einmal unterschreiben. Um trotzdem fortzufahren, senden Sie `withoutConsentReason`.',
  participantConsentWithdrawn:
    'Die teilnehmende Person hat ihre Einwilligung mit dem Formular „{form}“ widerrufen. Um trotzdem fortzufahren, senden Sie `withoutConsentReason`.',

  // The form
  notFormKey: 'Muss ein einzelnes Wort aus Buchstaben, Ziffern und Bindestrichen sein.',
  eConsentOff: 'Diese Studie verwendet zurzeit keine elektronische Einwilligung. Bitte fragen Sie das Studienteam.',
  trialWithoutEConsent: 'Die elektronische Einwilligung ist in dieser Studie ausgeschaltet.',
  consentsClosed: 'Diese Studie nimmt zurzeit keine Einwilligungen entgegen. Bitte fragen Sie das Studienteam.',
  takesNoConsents: 'Diese Studie nimmt zurzeit keine Einwilligungen entgegen.',
  trialIsArchived: 'Die Studie ist archiviert.',
  noSuchConsentForm: 'Dieses Einwilligungsformular gibt es in dieser Studie nicht.',
  consentByKey:
    'Eine Einwilligung kann nicht mit einem API-Schlüssel unterschrieben werden: Die Person unterschreibt sie auf der Seite des Formulars.',
  sessionIsFull: 'Eine Sitzung hat höchstens {most} Einträge. Bitte beginnen Sie neu.',
  'notOneEach.one': 'Muss {count} Eintrag haben, einen für jede Frage.',
  'notOneEach.other': 'Muss {count} Einträge haben, einen für jede Frage.',
  noPhoto: 'Dieses Formular verlangt kein Foto.',
  photo: 'Das Foto des Ausweises ist kein Bild. Bitte laden Sie ein anderes hoch.',
  givenAlready: 'Die Einwilligung wurde schon gegeben.',
  stepsLeft: '{steps}',
  andThen: '{before} {each}',
  readFirst: 'Lesen Sie zuerst die Informationen bis zum Ende.',
  quizFirst: 'Beantworten Sie zuerst die Fragen zu den Informationen.',
  verifyEmail: 'Bestätigen Sie zuerst die E-Mail-Adresse mit dem Code, der an sie geschickt wird.',
  verifyPhone: 'Bestätigen Sie zuerst die Telefonnummer mit dem Code, der an sie geschickt wird.',
  verifyWhatsapp: 'Bestätigen Sie zuerst die WhatsApp-Nummer mit dem Code, der an sie geschickt wird.',
  photoFirst: 'Laden Sie zuerst das Foto eines Ausweises hoch.',
  eligibilityUnconfirmed:
    'Muss true sein: Es muss bestätigt werden, dass die Bedingungen für die Teilnahme erfüllt sind.',
  noSuchStatement: 'Hat einen Schlüssel, zu dem das Formular keine Aussage hat.',
  unconfirmed: '„{statement}“ muss bestätigt werden.',
  initialsMissing: 'Zu „{statement}“ fehlen die Initialen.',
  notSignatureMethod: 'Muss {methods:or} sein.',
  notDrawing: 'Muss `image` haben: ein PNG in base64, mit höchstens {width} × {height} Pixeln.',
  damagedDrawing: '`image` ist ein beschädigtes PNG.',
  otherName: 'Muss `name` haben, genauso geschrieben wie in fullName.',

  // Consents that were given
  consentWithoutCode:
    'Diese Einwilligung hat keinen Code: Er wurde benutzt, die Einwilligung wurde widerrufen, oder es wurde keine Adresse bestätigt.',
  noCountersignature: 'Das Formular dieser Einwilligung verlangt keine Gegenzeichnung.',
  countersignedAlready: 'Diese Einwilligung wurde schon gegengezeichnet.',
  consentIsWithdrawn: 'Diese Einwilligung wurde widerrufen.',
  withdrawnAlready: 'Diese Einwilligung wurde schon widerrufen.',
  notOffered: 'Muss {choices:or} sein.',
  consentedStill:
    'Es gibt noch eine andere Einwilligung zu dieser Studie: Widerrufen Sie auch diese, bevor Ihre Daten gelöscht werden können.',
  consentOfParticipant:
    'Diese Einwilligung gehört zu einer teilnehmenden Person. Löschen Sie die personenbezogenen Angaben dieser Person.',
  consentNotWithdrawn: 'Nur widerrufene Einwilligungen werden gelöscht. Tragen Sie zuerst den Widerruf ein.',
  consentErased: 'Diese Einwilligung wurde schon gelöscht.',

  // Codes
  otherCountry: 'An Telefonnummern dieses Landes werden keine Codes geschickt. Bitte fragen Sie das Studienteam.',
  tooManyCodes: 'Heute werden keine weiteren Codes verschickt. Bitte fragen Sie das Studienteam.',
  noCode: 'Es wurde noch kein Code verschickt.',

  // Polls
  needsEmail: 'Die Umfrage fragt nach einer E-Mail-Adresse.',
  needsPhone: 'Die Umfrage fragt nach einer Telefonnummer.',
  answeredAlready: 'Mit dieser Adresse oder Nummer wurde die Umfrage schon beantwortet.',
  needsCode: 'Bestätigen Sie zuerst diese Adresse oder Nummer mit dem Code, der an sie geschickt wird.',
  needsNoCode: 'In dieser Umfrage muss diese Adresse oder Nummer nicht bestätigt werden.',
  notConsented: 'Niemand, der an der Studie teilnimmt, hat diese Adresse oder Nummer angegeben.',
  noSuchLink: 'Diesen Link hat die Umfrage nicht.',
} as const satisfies TranslationOf<typeof en>
