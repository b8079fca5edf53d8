import { accountTexts } from '#texts/accounts/de'
import { blindingTexts } from '#texts/blinding/de'
import { consentTexts } from '#texts/consents/de'
import { deletionTexts } from '#texts/deletions/de'
import { masterFileTexts } from '#texts/masterFile/de'
import { siteTexts } from '#texts/sites/de'
import type { Catalogue } from './en'

export const de: Catalogue = {
  'signInLink.body':
    'Ihr persönlicher Link zu {trial}: {url}\nEr gilt einmalig bis {date}. Bitte geben Sie ihn nicht weiter.',
  'verificationCode.body':
    '{code} ist Ihr Code für {trial}. Er gilt {minutes} Minuten. Bitte geben Sie ihn nicht weiter.',
  'behindSchedule.body.one': 'Bitte füllen Sie noch dieses Formular aus: {forms}.',
  'behindSchedule.body.other': 'Bitte füllen Sie noch diese Formulare aus: {forms}.',
  'attachments.one': 'Zu dieser Nachricht gehört eine Datei: {url}',
  'attachments.other': 'Zu dieser Nachricht gehören {count} Dateien: {url}',
  'incentive.body': 'Sie haben {amount} ({brand}) von {trial} erhalten. Den Code finden Sie in der App der Studie.',
  'appointment.invitation.body': 'Sie sind zum Videotermin „{title}“ am {when} eingeladen.',
  'appointment.reminder.body': 'Zur Erinnerung: „{title}“ ist am {when}.',
  'appointment.moved.body': '„{title}“ wurde verschoben. Der neue Termin ist am {when}.',
  'appointment.cancelled.body': '„{title}“ am {when} wurde abgesagt.',
  'appointment.join': ' Teilnehmen: {url}',
  'wearable.connect.body': 'Bitte verbinden Sie Ihr Konto bei {service} für {trial}: {url}',
  'wearable.reconnect.body':
    'Von {service} kommen keine Daten mehr an. Bitte verbinden Sie Ihr Konto noch einmal: {url}',

  'welcome.body':
    'Willkommen bei {trial}. Hier können Sie dem Studienteam schreiben, und hier finden Sie, was das Team und die Studie Ihnen senden. ' +
    'Das Team liest Ihre Nachricht vielleicht nicht sofort: Rufen Sie in einem Notfall bitte den Rettungsdienst.',
  'calendar.openUntil': 'Offen bis {when}.',

  quoted: '„{name}“',
  erased: 'Gelöscht.',
  'more.one': '{count} weiteren',
  'more.other': '{count} weitere',

  'taskAssigned.subject': '{trial}: eine Aufgabe für Sie',
  'taskAssigned.body': '{user} hat Ihnen eine Aufgabe zugewiesen.\n\nStudie: {trial}\nAufgabe: {task}\n',
  'taskAssigned.due': 'Fällig: {due} UTC\n',
  'fileAssigned.subject': '{trial}: eine Datei für Sie',
  'fileAssigned.body':
    '{user} hat Ihnen eine Datei des Trial Master File zugewiesen.\n\nStudie: {trial}\nDatei: {file}\n',
  'fileApproval.subject': '{trial}: Bitte prüfen Sie „{file}“',
  'fileApproval.body':
    '{user} bittet Sie, ein Dokument freizugeben oder abzulehnen.\n\nStudie: {trial}\nDatei: {file}, Version {number}\n\n{message}Sie können es hier bis {when} UTC öffnen: {url}\n\n' +
    'Der Link ist nur für Sie bestimmt.\n',
  'fileReviewed.subject': '{trial}: „{file}“ wurde geprüft',
  'fileReviewed.approved':
    'Alle Prüfenden haben das Dokument freigegeben.\n\nStudie: {trial}\nDatei: {file}, Version {number}\n',
  'fileReviewed.rejected':
    '{approver} hat das Dokument abgelehnt.\n\nStudie: {trial}\nDatei: {file}, Version {number}\nKommentar: {comment}\n',
  'submission.subject': '{trial}: „{form}“ von Teilnehmer/in {participant}',
  'submission.attention': 'Bitte sehen Sie sich die folgenden Angaben an.',
  'submission.unseen':
    '\n\nVielleicht hat die Person diese Nachricht nicht gesehen: Ihre Antworten kamen an, nachdem sie das gemeinsame Tablet verlassen hatte. Bitte sagen Sie es ihr.',
  'submission.about': '\n\nStudie: {trial}\nTeilnehmer/in: {participant}\nFormular: {form}\n',
  'queryAssigned.subject.one': '{trial}: eine Rückfrage für Sie',
  'queryAssigned.subject.other': '{trial}: {count} Rückfragen für Sie',
  'queryMessage.subject': '{trial}: eine neue Nachricht zu einer Rückfrage',
  'query.study': 'Studie: {trial}\n',
  'query.form': 'Teilnehmer/in {participant}, Formular „{form}“\n',
  'query.unallocated': 'Noch niemandem zugeordnet, Formular „{form}“\n',
  'incentivesWait.subject': '{trial}: Zahlungen an Teilnehmende warten',
  'incentivesWait.body':
    'Zahlungen für ein ausgefülltes Formular warten, weil das Guthaben oder die Codes aufgebraucht sind. Sie erfolgen, sobald es wieder welche gibt.\n\nStudie: {trial}\nMarke: {brand}\nBetrag: {amount}\n',
  'giftCardRefused.subject': '{trial}: Das Gateway hat eine Geschenkkarte abgelehnt',
  'giftCardRefused.body':
    'Das Gateway hat eine Geschenkkarte für eine teilnehmende Person abgelehnt. Der Betrag ist wieder im Guthaben, und die Person hat nichts erhalten. Beheben Sie den genannten Grund und vergeben Sie den Gutschein erneut. Diese Nachricht kommt je Marke einmal am Tag: Die Liste der Gutscheine nennt alle fehlgeschlagenen.\n\nStudie: {trial}\nMarke: {brand}\nBetrag: {amount}\n{reason}\n',
  'newMessage.subject': '{trial}: eine Nachricht von Teilnehmer/in {participant}',
  'newMessage.body': 'Studie: {trial}\nTeilnehmer/in: {participant}\n',
  'heldEntries.subject.one': '{trial}: Eine Antwort wartet auf eine Entscheidung',
  'heldEntries.subject.other': '{trial}: {count} Antworten warten auf eine Entscheidung',
  'heldEntries.body':
    'Die Studie konnte sie so nicht annehmen, zum Beispiel weil das Formular schon geschlossen war. Sie warten, bis das Team sie einträgt oder ablehnt.\n\nStudie: {trial}\nTeilnehmende: {participants}\n',
  ...blindingTexts,
  'siteMessages.subject.one': '{trial}: neue Nachrichten am Brett von {sites}',
  'siteMessages.subject.other': '{trial}: neue Nachrichten an den Brettern von {count} Studienzentren',
  'siteMessages.body': 'Studie: {trial}\nStudienzentren: {sites}\n',

  'webhookDisabled.subject': '{trial}: Der Webhook „{webhook}“ ist ausgeschaltet',
  'webhookDisabled.failing':
    'Studie: {trial}\n\nAn den Webhook „{webhook}“ konnte fünf Tage lang nichts zugestellt werden. Er ist deshalb ausgeschaltet: Der Empfänger erfährt nichts mehr von Ereignissen. Den Grund nennt das Protokoll der Zustellungen. Sobald der Empfänger wieder arbeitet, schalten Sie den Webhook ein und lassen ihn das Versäumte senden.\n',
  'webhookDisabled.gone':
    'Studie: {trial}\n\nDer Empfänger des Webhooks „{webhook}“ hat geantwortet, dass es ihn nicht mehr gibt (410). Der Webhook ist deshalb ausgeschaltet: Der Empfänger erfährt nichts mehr von Ereignissen. War das ein Irrtum, schalten Sie den Webhook wieder ein.\n',
  'appointment.staff.invitation.subject': '{trial}: ein Videotermin mit einer teilnehmenden Person',
  'appointment.staff.reminder.subject': '{trial}: Erinnerung an einen Termin',
  'appointment.staff.moved.subject': '{trial}: Ein Termin wurde verschoben',
  'appointment.staff.cancelled.subject': '{trial}: Ein Termin wurde abgesagt',
  'appointment.staff.body': 'Studie: {trial}\nTeilnehmer/in: {participant}\nTermin: {title}\nZeit: {when}\n',
  'appointment.staff.join': 'Teilnehmen: {url}\n',
  'calendar.closes': '{name} schließt',
  'calendar.more.meeting': 'Weitere Videotermine: siehe Terminübersicht',
  'calendar.more.event': 'Weitere Termine: siehe Terminübersicht',
  'calendar.more.task': 'Weitere Aufgaben: siehe Terminübersicht',
  'calendar.more.window': 'Weitere Fristen: siehe Terminübersicht',
  'calendar.more.visit': 'Weitere Monitoringbesuche: siehe Terminübersicht',

  'automaticQuery.unit':
    '„{name}“ ist {value}. Der Wert wurde vielleicht {slip} eingegeben. Bitte gleichen Sie den Wert mit den Quelldaten ab.',
  'automaticQuery.participantRange':
    '„{name}“ ist {value} und damit weit entfernt von den früheren Werten dieser Person. Bitte gleichen Sie den Wert mit den Quelldaten ab.',
  'automaticQuery.trialRange':
    '„{name}“ ist {value} und liegt damit weit außerhalb des in dieser Studie Üblichen. Bitte gleichen Sie den Wert mit den Quelldaten ab.',
  'automaticQuery.higher': '„{name}“ ist höher als „{other}“. Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.denied':
    '„{name}“ wurde mit Nein beantwortet, „{other}“ sagt aber etwas anderes. Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.changed':
    '„{name}“ wurde früher anders beantwortet. Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.before': '„{name}“ liegt vor „{other}“. Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.beforeBirth':
    '„{name}“ liegt vor der Geburt. Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.afterDeath': '„{name}“ liegt nach dem Tod. Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.beforeEarlier':
    '„{name}“ liegt vor der Angabe einer früheren Wiederholung ({occurrence}). Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.afterLater':
    '„{name}“ liegt nach der Angabe einer späteren Wiederholung ({occurrence}). Bitte gleichen Sie beide Angaben mit den Quelldaten ab.',
  'automaticQuery.constraint': '{constraint} Bitte gleichen Sie die Antwort mit den Quelldaten ab.',
  'automaticQuery.rule':
    '„{name}“: Die Antwort passt nicht zur Regel {rule}. Bitte gleichen Sie die Antwort mit den Quelldaten ab.',
  'automaticQuery.instruction':
    '{names}: Die Antworten widersprechen der Regel „{rule}“ dieser Studie. Bitte gleichen Sie sie mit den Quelldaten ab.',
  'automaticQuery.height': '{name} (Größe)',
  'automaticQuery.weight': '{name} (Gewicht)',
  'automaticQuery.slip.pounds': 'in Pfund statt in Kilogramm',
  'automaticQuery.slip.kilograms': 'in Kilogramm statt in Pfund',
  'automaticQuery.slip.inches': 'in Zoll statt in Zentimetern',
  'automaticQuery.slip.centimetres': 'in Zentimetern statt in Zoll',
  'automaticQuery.slip.fahrenheit': 'in °F statt in °C',
  'automaticQuery.slip.celsius': 'in °C statt in °F',
  'automaticQuery.slip.milligrams': 'in mg/dL statt in mmol/L',
  'automaticQuery.slip.millimoles': 'in mmol/L statt in mg/dL',
  'automaticQuery.slip.tenLarge': 'um das Zehnfache zu groß',
  'automaticQuery.slip.tenSmall': 'um das Zehnfache zu klein',
  'automaticQuery.slip.hundredLarge': 'um das Hundertfache zu groß',
  'automaticQuery.slip.hundredSmall': 'um das Hundertfache zu klein',
  'automaticQuery.slip.thousandLarge': 'um das Tausendfache zu groß',
  'automaticQuery.slip.thousandSmall': 'um das Tausendfache zu klein',

  ...consentTexts,
  ...siteTexts,
  ...masterFileTexts,
  'report.title': 'Diese Daten haben wir über Sie gespeichert',
  'report.intro':
    'Dies ist alles, was die Studie „{trial}“ über Teilnehmer/in {participant} gespeichert hat (Stand: {date}). Die Datei report.json enthält dasselbe in maschinenlesbarer Form.',
  'report.unprintable':
    'Einige Zeichen lassen sich nicht drucken und sind als □ dargestellt. Die Dateien report.html und report.json enthalten sie.',
  'report.erased': 'Die persönlichen Angaben wurden am {date} gelöscht. Die Studiendaten bleiben erhalten.',
  'report.person': 'Angaben zur Person',
  'report.field.id': 'Teilnehmer-ID',
  'report.field.createdAt': 'Registriert',
  'report.field.name': 'Vor- und Nachname',
  'report.field.dob': 'Geburtsdatum',
  'report.field.email': 'E-Mail-Adresse',
  'report.field.phone': 'Telefon',
  'report.field.whatsapp': 'WhatsApp-Nummer',
  'report.field.sites': 'Studienzentren',
  'report.field.groups': 'Gruppen',
  'report.answers': 'Antworten',
  'report.deletedForm': 'Gelöscht: {form}',
  'report.status': 'Ergebnis: {status}',
  'report.score': 'Punktwert: {score}',
  'report.changes': 'Frühere Fassungen und Änderungen',
  'report.files': 'Hochgeladene Dateien',
  'report.records': 'Weitere Einträge',
  'report.records.messages': 'Nachrichten',
  'report.records.notes': 'Notizen',
  'report.records.foodDiary': 'Ernährungstagebuch',
  'report.records.appointments': 'Termine und Videotermine',
  'report.records.queries': 'Rückfragen des Teams',
  'report.records.signatures': 'Unterschriften und Prüfungen',
  'report.records.tasks': 'Aufgaben des Teams',
  'report.records.drafts': 'Entwürfe',
  'report.records.memberships': 'Studienzentren und Gruppen',
  'report.records.schedule': 'Zeitplan',
  'report.records.reminders': 'Erinnerungen und Benachrichtigungen',
  'report.records.access': 'Anmeldungen und Links',
  'report.records.others': 'Technische Einträge',
  'report.log': 'Was wann von wem getan wurde',

  'packLog.title': 'Verbleib der Packungen',
  'packLog.place.site': 'Zentrum {site}',
  'packLog.concealed': 'Art verdeckt',
  'packLog.place.trial': 'Ebene der Studie',
  'packLog.balanced': 'Der Verbleib jeder Packung ist bekannt.',
  'packLog.unbalanced': 'Die Bilanz geht nicht auf. Packungen mit unbekanntem Verbleib: {count}.',
  'packLog.received': 'eingegangen',
  'packLog.movedIn': 'zugegangen',
  'packLog.movedOut': 'abgegangen',
  'packLog.inStock': 'vorrätig',
  'packLog.quarantined': 'in Quarantäne',
  'packLog.dispensed': 'ausgegeben',
  'packLog.returned': 'zurückgegeben',
  'packLog.lost': 'verloren',
  'packLog.damaged': 'beschädigt',
  'packLog.destroyed': 'vernichtet',
  'packLog.moved': 'verlegt',
  'packLog.unitsReturned': 'Einheiten zurückgegeben',
  'packLog.column.pack': 'Packung',
  'packLog.column.batch': 'Charge',
  'packLog.column.expires': 'Verfall',
  'packLog.column.received': 'Eingang',
  'packLog.column.participant': 'Teilnehmer/in',
  'packLog.column.dispensed': 'Ausgabe',
  'packLog.column.returned': 'Rückgabe',
  'packLog.column.end': 'Zustand',
  'packLog.otherArm': 'nicht von diesem Arm',
  'packLog.signature': 'Geprüft von (Name, Datum, Unterschrift):',
  'packLog.unprintable':
    'Einige Zeichen lassen sich nicht drucken und sind als □ dargestellt. Die csv-Datei enthält sie.',

  ...deletionTexts,
  ...accountTexts,
}
