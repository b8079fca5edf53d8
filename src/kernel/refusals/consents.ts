/** Refusals about consents, polls, and the codes that are sent to addresses. */
export const consents = {
  // What needs a consent
  consentMissing: 'This needs your consent first: please sign the consent form.',
  consentOutdated: 'There is a new version of the consent form: please sign it first.',
  consentWithdrawn: 'You have withdrawn your consent, so nothing more is collected.',
  participantConsentMissing:
    'The participant has not signed the consent form “{form}”. To go on nevertheless, send `withoutConsentReason`.',
  participantConsentOutdated:
    'The participant signed an earlier version of the consent form “{form}”, and is to sign again. To go on nevertheless, send `withoutConsentReason`.',
  participantConsentWithdrawn:
    'The participant has withdrawn their consent with the form “{form}”. To go on nevertheless, send `withoutConsentReason`.',

  // The form
  notFormKey: 'Must be one word of letters, digits and hyphens.',
  eConsentOff: 'This study does not use electronic consent at present. Please ask the study team.',
  trialWithoutEConsent: 'Electronic consent is off in this trial.',
  consentsClosed: 'This study takes no consents at present. Please ask the study team.',
  takesNoConsents: 'This study takes no consents at present.',
  trialIsArchived: 'The trial is archived.',
  noSuchConsentForm: 'There is no such consent form in this trial.',
  consentByKey: 'A consent cannot be signed with an API key: the person signs it on the page of the form.',
  sessionIsFull: 'A session has at most {most} entries.',
  'notOneEach.one': 'Must have {count} entry, one for each question.',
  'notOneEach.other': 'Must have {count} entries, one for each question.',
  noPhoto: 'This form asks for no photo.',
  photo: 'The photo of the identity document is no image. Please upload another one.',
  givenAlready: 'The consent was given already.',
  stepsLeft: '{steps}',
  andThen: '{before} {each}',
  readFirst: 'Read the information to its end first.',
  quizFirst: 'Answer the questions about the information first.',
  verifyEmail: 'Verify the e-mail address first, by the code that is sent to it.',
  verifyPhone: 'Verify the telephone number first, by the code that is sent to it.',
  verifyWhatsapp: 'Verify the WhatsApp number first, by the code that is sent to it.',
  photoFirst: 'Upload the photo of an identity document first.',
  eligibilityUnconfirmed: 'Must be true: who the study is for has to be confirmed.',
  noSuchStatement: 'Has a key that is no statement of the form.',
  unconfirmed: '“{statement}” has to be confirmed.',
  initialsMissing: '“{statement}” needs initials.',
  notSignatureMethod: 'Must be {methods:or}.',
  notDrawing: 'Must have `image`: a PNG in base64, of at most {width} × {height} pixels.',
  damagedDrawing: '`image` is a damaged PNG.',
  otherName: 'Must have `name`, written as in fullName.',

  // Consents that were given
  consentWithoutCode: 'This consent has no code: it was used or withdrawn, or no address was verified.',
  noCountersignature: 'The form of this consent asks for no countersignature.',
  countersignedAlready: 'This consent was countersigned already.',
  consentIsWithdrawn: 'This consent was withdrawn.',
  withdrawnAlready: 'This consent was withdrawn already.',
  notOffered: 'Must be {choices:or}.',
  consentedStill: 'There is another consent with this study: withdraw it, too, before your data can go.',
  consentOfParticipant: 'This consent belongs to a participant. Erase the personal information of the participant.',
  consentNotWithdrawn: 'Only consents that were withdrawn are erased. Record the withdrawal first.',
  consentErased: 'This consent was erased already.',

  // Codes
  otherCountry: 'No codes are sent to telephone numbers of this country. Please ask the study team.',
  tooManyCodes: 'No more codes are sent today. Please ask the study team.',
  noCode: 'No code was sent yet.',

  // Polls
  needsEmail: 'The poll asks for an e-mail address.',
  needsPhone: 'The poll asks for a phone number.',
  answeredAlready: 'This address or number has answered the poll already.',
  needsCode: 'Confirm this address or number first, by the code that is sent to it.',
  needsNoCode: 'The poll does not want this contact confirmed.',
  notConsented: 'No participant of the study has given this address or number.',
  noSuchLink: 'The poll has no such link.',
} as const
