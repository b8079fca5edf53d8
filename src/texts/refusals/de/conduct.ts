import type { conduct as en } from '#kernel/refusals/conduct'
import type { TranslationOf } from '../translated'

/** Refusals about what is done in a study with participants, their answers, and the team’s work with them, in German. */
export const conduct = {
  // Participants
  notGroupIds: 'Muss aus den _ids von Gruppen bestehen, mit Kommas dazwischen.',
  notIds: 'Muss aus _ids von je 24 hexadezimalen Zeichen bestehen, mit Kommas dazwischen.',
  outerSpace: 'Darf nicht mit einem Leerzeichen beginnen oder enden.',
  controlCharacters: 'Darf keine Steuerzeichen enthalten.',
  inFuture: 'Darf nicht in der Zukunft liegen.',
  notPhone: 'Muss eine Telefonnummer mit der Vorwahl des Landes sein, zum Beispiel +44 7700 900123.',
  noSuchGroups: 'In dieser Studie gibt es keine solche Gruppe: {groups}.',
  noSuchSites: 'In dieser Studie gibt es kein solches Studienzentrum: {sites}.',
  idsTaken: 'Diese Teilnehmer-IDs sind schon vergeben oder doppelt angegeben: {ids}.',
  idsTakenOfMany: 'Diese Teilnehmer-IDs sind schon vergeben oder doppelt angegeben: {ids} und {more} weitere.',
  teamIsFull: 'Freie Plätze für Teilnehmende in diesem Team: {room}. In dieser Anfrage sind es {entries}.',
  participantTwice: 'In diesen Änderungen kommt eine teilnehmende Person zweimal vor.',
  allocatedStays:
    '„{participant}“ wurde durch eine Randomisierung zugeteilt, und wer zugeteilt ist, bleibt in den Daten der Studie. Beenden Sie stattdessen die Teilnahme, und löschen Sie die personenbezogenen Angaben.',
  'hasPacks.one':
    'An „{participant}“ wurde {count} Packung ausgegeben. Deshalb kann die Person nicht gelöscht werden. Beenden Sie stattdessen die Teilnahme, und löschen Sie die personenbezogenen Angaben.',
  'hasPacks.other':
    'An „{participant}“ wurden {count} Packungen ausgegeben. Deshalb kann die Person nicht gelöscht werden. Beenden Sie stattdessen die Teilnahme, und löschen Sie die personenbezogenen Angaben.',
  concealedArm:
    '„{group}“ ist ein Arm einer verblindeten Randomisierung: Teilnehmende kommen nur durch eine Zuteilung hinein.',
  archivedCannotSignIn: 'Die teilnehmende Person ist archiviert und kann sich nicht anmelden.',
  archivedCannotSubmit: 'Die teilnehmende Person ist archiviert und kann nichts absenden.',
  archivedTakesNoData: 'Die teilnehmende Person ist archiviert: Stellen Sie sie wieder her, bevor Sie Daten eingeben.',
  archivedGetsNoMessages: 'Die teilnehmende Person ist archiviert. Stellen Sie sie wieder her, um ihr zu schreiben.',
  participantIsArchived: 'Die teilnehmende Person ist archiviert.',
  participantWithdrawn: 'Die Person hat ihre Teilnahme an dieser Studie beendet. Deshalb wird nichts mehr erfasst.',
  withdrawnCannotSubmit: 'Die Person hat ihre Teilnahme beendet und kann nichts absenden.',
  notWithdrawn:
    'Personenbezogene Angaben werden nur gelöscht, wenn die Person ihre Teilnahme beendet hat. Beenden Sie zuerst die Teilnahme.',
  nobodyChosen: 'Wählen Sie nach Teilnehmenden, nach Gruppen oder mit einem Filter aus.',

  // Sign-ins of participants, and their devices
  archived: 'Sie nehmen an dieser Studie nicht mehr teil.',
  withdrawn: 'Sie haben Ihre Teilnahme an dieser Studie beendet. Deshalb wird nichts mehr erfasst.',
  participantSignInFailed:
    'Die Anmeldung hat nicht geklappt. Prüfen Sie Ihre Eingaben, oder bitten Sie das Studienteam um einen Link zum Anmelden.',
  eConsentRequired:
    'Geben Sie die E-Mail-Adresse oder Telefonnummer ein, mit der Sie eingewilligt haben, und den Code, den Sie bekommen haben.',
  nothingChanged: 'Fehlt, ist aber nötig: Senden Sie timezone, language oder beides.',
  pushOff: 'Push-Mitteilungen sind auf diesem Server ausgeschaltet.',
  notSubscription: 'Muss das JSON einer PushSubscription sein: ein endpoint, und keys mit p256dh und auth.',
  otherPushService: 'Der endpoint muss zu einem Push-Dienst gehören, an den dieser Server sendet.',
  sharedDevice: 'Das geht nicht auf einem gemeinsamen Tablet: Benutzen Sie ein eigenes Gerät.',
  notPin: 'Muss aus 4 bis 8 Ziffern bestehen.',
  easyPin: 'Ist zu leicht zu erraten: Wählen Sie weder eine Folge noch immer dieselbe Ziffer noch die Teilnehmer-ID.',
  pinOrGrant: 'Senden Sie participantId und pin, oder grant.',
  tabletClosed: 'Dieses Tablet wurde beendet. Fragen Sie das Studienteam.',
  tabletEnded: 'Dieses Tablet wurde beendet: Erstellen Sie ein neues.',
  tabletOver: 'Dieses Tablet wurde beendet, oder seine Zeit ist abgelaufen: Erstellen Sie ein neues.',
  tabletEndedAlready: 'Dieses Tablet wurde schon beendet.',
  unreadableEnvelope:
    'Dieser Umschlag lässt sich nicht öffnen: Er wurde verändert, oder er wurde auf einem anderen Tablet oder für einen anderen Server versiegelt.',
  foreignEnvelope: 'Dieser Umschlag stammt nicht von diesem Tablet.',
  participantDeleted:
    'Die Person, von der diese Antworten sind, wurde gelöscht und kann wiederhergestellt werden. Bis dahin behält das Tablet die Antworten.',
  unknownParticipant:
    'Der Server kennt die Person nicht, von der diese Antworten sind. Wurde er aus einer Sicherung wiederhergestellt, die älter ist als ihre Registrierung?',
  otherFile: 'Unter dieser ID wurde schon eine andere Datei übergeben.',

  // Answers
  answersUnwrapped:
    'Der Inhalt der Anfrage ist ein Objekt mit der `_id` jedes Datentyps als Schlüssel, ohne `response` darum herum.',
  notAnswer: 'Muss ein Objekt mit einem Wert sein, zum Beispiel mit der Zahl 6 unter „value“.',
  notAnswers:
    'Muss ein Objekt mit der `_id` jedes Datentyps als Schlüssel sein, mit je einem Objekt, das einen „value“ hat.',
  answersMissing:
    'Fehlt, ist aber nötig: die Antworten, als „response“ mit einem Objekt, das die `_id` jedes Datentyps als Schlüssel hat.',
  notAnswersBody:
    'Der Inhalt der Anfrage muss ein Objekt mit der `_id` jedes Datentyps als Schlüssel sein, mit je einem Objekt, das einen „value“ hat.',
  answerNotTaken: '{problem}',
  answersNotTaken: '{problem} (und {more} weitere)',
  noFileQuestion: 'Diese Frage gibt es in diesem Formular nicht, oder zu ihr gehört keine Datei.',
  notesTooLong: 'Die Anmerkungen haben zusammen mehr als {most} Zeichen. Kürzen Sie sie.',
  updateNoteMissing: 'Diese Studie verlangt eine Anmerkung (updateNote) dazu, warum eine Antwort geändert wird.',
  closed: 'Dieses Formular ist geschlossen.',
  formEnded: 'Die Zeit, in der dieses Formular ausgefüllt werden konnte, ist vorbei: Sie endete am {at}.',
  notOpenYet: 'Dieses Formular ist noch nicht offen: Es öffnet am {from}.',
  openingUnknown: 'Dieses Formular ist noch nicht offen: Wann es öffnet, steht noch nicht fest.',
  occurrenceMissing: '„{stage}“ hat mehrere Wiederholungen: Nennen Sie eine davon, zum Beispiel {first}.',
  recurrenceMissing:
    '„{stage}“ hat mehrere Wiederholungen: Geben Sie die Nummer von einer an (recurrence, von 0 bis {last}).',
  noSuchOccurrence: '„{stage}“ hat keine Wiederholung {n}: Gezählt wird von 0 bis {last}.',
  occurrenceAnswered: 'Von dieser Person gibt es schon eine Antwort zu dieser Wiederholung von „{stage}“.',
  responseAllocated: 'Die Antwort gehört schon zu einer teilnehmenden Person. Lösen Sie zuerst diese Zuordnung.',
  responseOfThem: 'Die Antwort gehört schon zu dieser teilnehmenden Person.',
  responseOfAnother: 'Die Antwort gehört zu einer anderen teilnehmenden Person.',
  responseUnallocated: 'Die Antwort ist niemandem zugeordnet.',
  pollHasOwnLink: '„{stage}“ ist eine anonyme Umfrage und hat einen eigenen Link.',
  screeningFilesFull: 'Dateien vor der ersten Anmeldung dürfen zusammen 1 GB groß sein.',

  // Entries that wait for the study team
  entryAccepted: 'Dieser Eintrag wurde schon angenommen.',
  entryRefused: 'Dieser Eintrag wurde schon abgelehnt.',
  copyOfAnother: 'Diese Kopie gehört zu einer anderen teilnehmenden Person.',
  entryWithoutAnswers: 'Dieser Eintrag enthält keine Antworten: Lehnen Sie ihn ab.',
  otherEntry: 'Das Studienteam hat unter dieser ID schon einen anderen Eintrag.',
  tooManyHeld: 'Beim Studienteam warten schon {most} Einträge: Behalten Sie diesen, bis das Team entschieden hat.',

  // Files
  notMimeType: 'Muss ein MIME-Typ sein, zum Beispiel application/pdf.',
  otherFileType: 'Der Typ dieser Datei muss so beginnen: {start}',
  uploadTooLarge: 'Eine Datei darf höchstens {limit} MB groß sein; diese hat {size} Bytes.',
  videoTooLarge: 'Ein Video darf höchstens {limit} MB groß sein; dieses hat {size} Bytes.',
  wearableFileTooLarge:
    'Eine Datei, die ein Anbieter von Wearables exportiert hat, darf höchstens {limit} MB groß sein; diese hat {size} Bytes.',
  wearableFileOwner: 'Ein Export eines Wearables gehört zu einer teilnehmenden Person: Geben Sie an, zu welcher.',
  uploadLinkOver: 'Dieser Link zum Hochladen ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
  participantUploadsFull:
    'Die Dateien einer teilnehmenden Person dürfen zusammen {quota} groß sein: {used} sind belegt, und diese Datei hat {size}.',
  trialUploadsFull:
    'Die hochgeladenen Dateien dieser Studie dürfen zusammen {quota} groß sein: {used} sind belegt, und diese Datei hat {size}.',

  // The team’s work with participants and responses
  impossibleDate: 'Das Datum muss zwischen den Jahren 1900 und 2200 liegen.',
  impossibleTime: 'Der Zeitpunkt muss zwischen den Jahren 1900 und 2200 liegen.',
  alwaysOpen: '„{stage}“ ist immer offen: Es gibt nichts zu verschieben.',
  personnelCannotSee:
    'Ausgewählte Mitglieder des Studienteams, die diese teilnehmende Person nicht sehen können: {count}.',
  notAfterFrom: 'Muss nach `from` liegen.',
  tooLongAfterFrom: 'Darf höchstens {days} Tage nach `from` liegen.',
  laneElsewhere: 'Die Spalte gehört nicht zu dieser Studie.',
  completeLane: 'Aufgaben in „{lane}“ sind erledigt. Legen Sie die Aufgabe in eine andere Spalte.',
  'laneHoldsTasks.one': '„{lane}“ enthält {count} Aufgabe. Verschieben oder löschen Sie sie zuerst.',
  'laneHoldsTasks.other': '„{lane}“ enthält {count} Aufgaben. Verschieben oder löschen Sie sie zuerst.',
  taskAssignees: 'Zugewiesene Personen, die diese Aufgabe nicht lesen können: {count}. Wählen Sie andere.',
  queryAssignees: 'Zugewiesene Personen, die diese Rückfrage nicht lesen können: {count}. Wählen Sie andere.',
  notFieldOfResponse: 'Der Datentyp ist kein Feld dieser Antwort.',
  queryClosed: 'Die Rückfrage ist geschlossen. Öffnen Sie sie wieder, um mehr zu schreiben.',
  nothingToSign: 'Es gibt nichts zu unterschreiben: Von der teilnehmenden Person gibt es keine Antworten.',
  signingOff: 'Das Unterschreiben ist für diese Studie ausgeschaltet (responseSigningEnabled).',
  otherMeaning: 'Die Bedeutung der Unterschrift muss eine von diesen sein: {meanings}.',
  emptyMessage: 'Schreiben Sie etwas, oder hängen Sie eine Datei an.',

  // Meetings
  webSocketOnly: 'Diese Adresse ist nur für eine WebSocket-Verbindung.',
  ownPagesOnly: 'Das darf nur eine Seite dieses Servers.',
  pageUnnamed: 'Die Seite hat keinen Namen.',
  messageNotText: 'Das ist kein Text.',
  messageNotJson: 'Das ist kein JSON.',
  messageTypeUnknown: 'Diese Art von Nachricht gibt es nicht.',
  personNotHere: 'Diese Person ist nicht hier.',
  notInsideYet: 'Sie sind noch nicht eingetreten.',
  teamOnly: 'Das darf nur das Studienteam.',
} as const satisfies TranslationOf<typeof en>
