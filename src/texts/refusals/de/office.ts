import type { office as en } from '#kernel/refusals/office'
import type { TranslationOf } from '../translated'

/** Refusals about the office of a trial, in German. See `src/kernel/refusals/office.ts`. */
export const office = {
  aboveOther: 'Darf nicht größer sein als {field}.',

  // What is recorded about sites
  pendingCompletion: 'Ein ausstehender Besuch hat kein completedAt: Setzen Sie auch status auf completed.',
  completionInFuture: 'Ein Besuch kann nicht in der Zukunft abgeschlossen werden.',
  'visitHasIssues.one':
    'Zum Besuch „{visit}“ gibt es {count} Befund: Löschen Sie zuerst, was irrtümlich eingetragen wurde.',
  'visitHasIssues.other':
    'Zum Besuch „{visit}“ gibt es {count} Befunde: Löschen Sie zuerst, was irrtümlich eingetragen wurde.',
  'visitAssignees.one': 'Eine der zugewiesenen Personen kann diesen Besuch nicht lesen.',
  'visitAssignees.other': 'Zugewiesene Personen, die diesen Besuch nicht lesen können: {count}.',
  'issueAssignees.one': 'Eine der zugewiesenen Personen kann diesen Befund nicht lesen.',
  'issueAssignees.other': 'Zugewiesene Personen, die diesen Befund nicht lesen können: {count}.',
  notOfSite: 'Diese Person hat kein Konto, das dieses Studienzentrum sehen kann.',
  trainingInFuture: 'Eine Schulung wird eingetragen, wenn sie stattgefunden hat: trainedOn liegt in der Zukunft.',
  expiresBeforeTraining: 'expiresOn liegt vor trainedOn.',
  certificateNotUploaded: 'Das Zertifikat ist für dieses Studienzentrum nicht fertig hochgeladen.',
  trainingStruckOut: 'Der Eintrag ist gestrichen. Tragen Sie die Schulung neu ein.',
  investigatorAlready:
    'Die Hauptprüferin oder der Hauptprüfer dieses Studienzentrums ist {investigator}: Beenden Sie zuerst diesen Eintrag, und zwar vor dem {startsOn}.',
  otherTasksMissing: 'Geben Sie in otherTasks an, was die anderen Aufgaben sind.',
  delegationEnds: 'Der Eintrag endet am {endsOn}. Das lässt sich nicht ändern.',
  delegationBegins: 'Der Eintrag beginnt am {startsOn}: Er kann nicht vorher enden.',
  signedByPersonOnly: 'Diesen Eintrag unterschreibt als betroffene Person nur {person}.',
  noInvestigator:
    'Das Studienzentrum hat keine Hauptprüferin und keinen Hauptprüfer mit einem selbst unterschriebenen Eintrag.',
  signedByInvestigatorOnly:
    'Die Aufgaben dieses Studienzentrums delegiert nur, wer es als Hauptprüfer/in leitet: {investigator}.',
  investigatorSignsAlone:
    'Den Eintrag einer Hauptprüferin oder eines Hauptprüfers unterschreibt nur diese Person selbst.',
  signatureGiven: 'Diese Unterschrift wurde schon geleistet.',
  delegationOver: 'Der Eintrag ist beendet: Legen Sie einen neuen an.',
  personSignsFirst: '{person} hat noch nicht unterschrieben: Diese Person unterschreibt zuerst.',
  noBoard: 'Es gibt kein Studienzentrum, an dessen Brett Sie schreiben dürfen.',
  boardMessageErased: 'Der Inhalt dieser Nachricht wurde schon gelöscht.',
  messageUnderWay: 'Diese Nachricht wird gerade gesendet. Versuchen Sie es in einer Minute noch einmal.',
  messageAlreadySent: 'Diese Nachricht ist schon gesendet.',
  messageAlreadyHandedOver: 'Diese Nachricht ist schon übergeben.',
  dashboardOfSites:
    'Die Übersicht zeigt Zahlen der Studie und ihrer Studienzentren. Sie dürfen aber nur Teilnehmende von Gruppen sehen.',
  insightsOfSites:
    'Die Auswertungen (insights) betreffen die Studie und ihre Studienzentren. Sie dürfen aber nur Teilnehmende von Gruppen sehen.',
  generationOff: 'Das Erzeugen von Texten wurde in dieser Studie ausgeschaltet.',
  erasedMeanwhile: 'Die personenbezogenen Angaben dieser Person wurden inzwischen gelöscht.',
  noAi: 'Auf diesem Server ist kein KI-Dienst eingerichtet.',
  aiNotJson: 'Die Antwort des KI-Dienstes ist kein gültiges JSON.',
  aiOtherForm: 'Die Antwort des KI-Dienstes hat nicht die verlangte Form.',
  aiWrongText: 'Die Antwort des KI-Dienstes enthält Text, der nicht gespeichert werden kann.',

  // Files
  approverEmail: 'Die E-Mail-Adresse einer prüfenden Person ist nicht gültig.',
  approverCannotRead: 'Eine prüfende Person kann diese Datei nicht lesen.',
  approverOtherEmail: 'Die E-Mail-Adresse einer prüfenden Person ist nicht die ihres Kontos.',
  approverUnnamed: 'Eine prüfende Person braucht eine ID oder eine E-Mail-Adresse.',
  approverTwice: 'Eine prüfende Person ist zweimal genannt.',
  approverOneself: 'Sie können Ihre eigene Anfrage nicht selbst prüfen.',
  approverMissing:
    'Eine der prüfenden Personen oder Sie selbst müssen für diese Datei die Berechtigung approveFiles haben.',
  rejectionReasonMissing: 'Schreiben Sie in den Kommentar, warum Sie die Version ablehnen.',
  decidedAlready: 'Sie haben schon entschieden. Entschieden wird einmal.',
  approverLost:
    'An dieser Prüfung ist niemand mehr mit der Berechtigung approveFiles beteiligt. Bitten Sie um eine neue Anfrage, an der so jemand beteiligt ist.',
  approvalEnded: 'Die Anfrage ist schon beendet. Ihr Stand: {status}.',
  statusApproved: 'freigegeben',
  statusRejected: 'abgelehnt',
  statusWithdrawn: 'zurückgezogen',
  statusStale: 'überholt',
  notApprover: 'Sie gehören nicht zu den Prüfenden dieser Anfrage.',
  fileWithoutVersion: 'Die Datei hat noch keine Version.',
  versionDecided: 'Die neueste Version ist schon {status}: Fügen Sie eine neue hinzu.',
  versionUnderReview: 'Die Version wird schon geprüft. Ziehen Sie zuerst jene Anfrage zurück.',
  tooManyApprovals: 'Zu einer Datei gibt es höchstens {most} Anfragen.',
  'fileAssignees.one': 'Eine der zugewiesenen Personen kann diese Datei nicht lesen.',
  'fileAssignees.other': 'Zugewiesene Personen, die diese Datei nicht lesen können: {count}.',
  fileNotUploaded:
    'Der gespeicherte Name gehört zu keiner Datei, die für diese Studie oder dieses Studienzentrum fertig hochgeladen ist.',
  uploadNotFinished: 'Das Hochladen ist noch nicht fertig.',
  recordOfTrial: 'Diese Aufzeichnung gehört zur ganzen Studie und nicht zu ihren Studienzentren.',
  recordIndispensable: 'Jede Studie hat diese Aufzeichnung: Sie kann nicht ausgenommen werden.',
  exemptionReasonMissing: 'Geben Sie an, warum die Aufzeichnung nicht zutrifft.',
  siteOfFileFixed:
    'Das Studienzentrum einer Datei steht fest. Kopieren Sie die Datei stattdessen in das andere Studienzentrum.',
  nothingToShow: 'Die Datei hat noch keine Version: Es gibt nichts anzuzeigen.',
  newVersionMeanwhile: 'Die Datei hat gerade eine neue Version bekommen: Fragen Sie noch einmal an.',
  notShownInBrowsers:
    'Eine Datei dieses Typs kann nicht im Browser angezeigt werden. Möglich sind PDF, PNG, JPEG, GIF, WebP, Text, CSV, docx und xlsx. Laden Sie die Datei herunter.',
  searchPageTooLarge: 'Mit search hat eine Seite höchstens {most} Dateien.',
  tooManyCopies: 'Eine Anfrage kopiert höchstens {most} Versionen; das wären {count}.',
  siteElsewhere: 'Das Studienzentrum gehört nicht zu dieser Studie.',
  tooManyVersions: 'Eine Datei hat höchstens {most} Versionen.',
  trialFilesHidden: 'Sie dürfen die Dateien der ganzen Studie nicht lesen.',
  siteFilesHidden: 'Das Studienzentrum gehört nicht zu dieser Studie, oder Sie dürfen seine Dateien nicht lesen.',
  reportTooLong:
    'Ein Bericht enthält höchstens {most} Versionen. Fordern Sie ihn für jedes Studienzentrum einzeln an, oder nehmen Sie die Zip-Datei.',

  // Incentives
  belowMinimum: '„{brand}“ gibt es ab {amount}.',
  aboveMaximum: '„{brand}“ gibt es bis {amount}.',
  noBrand: 'Die Studie hat keine Marke „{brand}“.',
  brandInactive: 'Die Marke „{brand}“ wird nicht mehr vergeben.',
  otherCurrency: '„{brand}“ wird in {own} vergeben, nicht in {currency}.',
  boundsOfCodes: 'Gilt nur für Marken eines Gateways: Ein Code hat seinen eigenen Betrag.',
  tooManyBrands: 'Eine Studie hat höchstens {most} Marken.',
  noCodeLeft: 'Es gibt keinen gültigen Code von „{brand}“ über {amount} mehr. Laden Sie zuerst weitere Codes.',
  noGateway: 'Dieser Server hat kein Gateway für Geschenkkarten.',
  recipientIsArchived: 'Die teilnehmende Person ist archiviert: Stellen Sie sie zuerst wieder her.',
  incentiveErased: 'Der Code dieses Gutscheins wurde gelöscht.',
  incentiveReversed: 'Dieser Gutschein wurde zurückgenommen.',
  incentiveWithoutCode: 'Dieser Gutschein hat noch keinen Code.',
  orderOpen:
    'Es ist noch nicht bekannt, ob das Gateway diese Karte verkauft. Erst wenn das feststeht, kann die Zahlung zurückgenommen werden.',
  orderRefused: 'Das Gateway hat diese Karte abgelehnt, und der Betrag ist wieder im Guthaben.',
  notReversible: 'Nur Aufladungen und Zahlungen von Gutscheinen können zurückgenommen werden.',
  reversedAlready: 'Diese Buchung wurde schon zurückgenommen.',
  stageElsewhere: 'Die Studie hat dieses Formular nicht.',
  tooManyIncentiveRules: 'Eine Studie hat höchstens {most} Regeln.',
  cardsAreOrdered: 'Die Karten dieser Marke werden beim Gateway bestellt.',
  tooManyVoucherCodes: 'Eine Datei hat höchstens {most} Codes. Laden Sie sie in Teilen.',
  codeHeaders:
    'Die Überschriften müssen code und amount sein; pin, expiresOn und currency sind möglich, jede nur einmal.',
  moreCellsThanHeaders: 'Es gibt mehr Zellen als Überschriften.',
  codeLength: 'Muss 1 bis {most} Zeichen haben.',
  codeExpired: 'Der Code ist abgelaufen.',
  codeCurrency: 'Die Marke wird in {currency} vergeben.',
  codeTwice: 'Steht schon in Zeile {first}.',
  codeLoaded: 'Wurde schon früher geladen.',
  notCurrency: 'Muss eine Währung nach ISO 4217 sein, etwa EUR.',
  'tooManyDecimals.one': 'Darf höchstens {count} Nachkommastelle haben.',
  'tooManyDecimals.other': 'Darf höchstens {count} Nachkommastellen haben.',
  noDecimals: '{currency} hat keine Nachkommastellen.',
  walletFull: 'Ein Guthaben kann höchstens {most} {currency} betragen.',
  walletTooLow: 'Das Guthaben beträgt {balance}; gebraucht werden {amount}. Laden Sie es zuerst auf.',

  // Webhooks
  notHttpsAddress: 'Muss eine Adresse sein, die mit https:// beginnt.',
  addressWithPassword: 'Muss eine Adresse ohne Passwort und ohne # sein.',
  privateAddress:
    'Dieser Server ruft keine Adressen in privaten Netzen auf. Die Verwaltung des Servers kann eine mit --outgoing-networks erlauben.',
  unprotectedAddress: 'Muss mit https:// beginnen, weil das Gesendete sonst ungeschützt wäre.',
  testDelivery: 'Ein Test kann nicht noch einmal gesendet werden: Senden Sie einen neuen.',
  webhookDisabled: 'Der Webhook ist ausgeschaltet: Schalten Sie ihn zuerst ein.',
  deliveryWaits: 'Die Zustellung wartet schon: Sie wird gesendet, wenn sie an der Reihe ist.',
  tooLongAgo: 'Ereignisse der letzten {days} Tage können gesendet werden, frühere nicht.',
  tooManyWebhooks: 'Eine Studie hat höchstens {most} Webhooks.',
} as const satisfies TranslationOf<typeof en>
