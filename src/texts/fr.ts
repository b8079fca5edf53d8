import { accountTexts } from '#texts/accounts/fr'
import { blindingTexts } from '#texts/blinding/fr'
import { consentTexts } from '#texts/consents/fr'
import { deletionTexts } from '#texts/deletions/fr'
import { masterFileTexts } from '#texts/masterFile/fr'
import { siteTexts } from '#texts/sites/fr'
import type { Catalogue } from './en'

export const fr: Catalogue = {
  'signInLink.body':
    "Votre lien personnel pour {trial} : {url}\nUtilisable une seule fois, jusqu'au {date}. Merci de ne pas le transmettre.",
  'verificationCode.body':
    '{code} est votre code pour {trial}. Il est valable {minutes} minutes. Merci de ne pas le communiquer.',
  'behindSchedule.body.one': 'Merci de remplir encore ce formulaire : {forms}.',
  'behindSchedule.body.other': 'Merci de remplir encore ces formulaires : {forms}.',
  'attachments.one': 'Un fichier accompagne ce message : {url}',
  'attachments.other': '{count} fichiers accompagnent ce message : {url}',
  'incentive.body': 'Vous avez reçu {amount} ({brand}) de {trial}. Le code se trouve dans l’application de l’étude.',
  'appointment.invitation.body': 'Vous êtes invité(e) au rendez-vous vidéo « {title} » le {when}.',
  'appointment.reminder.body': 'Rappel : « {title} » a lieu le {when}.',
  'appointment.moved.body': '« {title} » a été déplacé. La nouvelle date est le {when}.',
  'appointment.cancelled.body': '« {title} » du {when} est annulé.',
  'appointment.join': ' Participer : {url}',
  'wearable.connect.body': 'Veuillez connecter votre compte {service} pour {trial} : {url}',
  'wearable.reconnect.body':
    'Les données de {service} ne nous parviennent plus. Veuillez connecter votre compte à nouveau : {url}',

  'welcome.body':
    'Bienvenue dans {trial}. Vous pouvez écrire ici à l’équipe de l’étude, et vous trouverez ici ce que l’équipe et l’étude vous envoient. ' +
    'L’équipe ne lit peut-être pas votre message tout de suite : en cas d’urgence, appelez les secours.',
  'calendar.openUntil': 'Ouvert jusqu’au {when}.',

  quoted: '« {name} »',
  erased: 'Effacé.',
  'more.one': '{count} autre',
  'more.other': '{count} autres',

  'taskAssigned.subject': '{trial} : une tâche pour vous',
  'taskAssigned.body': '{user} vous a attribué une tâche.\n\nÉtude : {trial}\nTâche : {task}\n',
  'taskAssigned.due': 'Échéance : {due} UTC\n',
  'fileAssigned.subject': '{trial} : un fichier pour vous',
  'fileAssigned.body':
    '{user} vous a attribué un fichier du dossier permanent de l’étude (TMF).\n\nÉtude : {trial}\nFichier : {file}\n',
  'fileApproval.subject': '{trial} : merci d’examiner « {file} »',
  'fileApproval.body':
    '{user} vous demande d’approuver ou de rejeter un document.\n\nÉtude : {trial}\nFichier : {file}, version {number}\n\n{message}Ouvrez-le ici jusqu’au {when} UTC : {url}\n\n' +
    'Ce lien vous est réservé.\n',
  'fileReviewed.subject': '{trial} : « {file} » a été examiné',
  'fileReviewed.approved':
    'Tous les approbateurs ont approuvé le document.\n\nÉtude : {trial}\nFichier : {file}, version {number}\n',
  'fileReviewed.rejected':
    '{approver} a rejeté le document.\n\nÉtude : {trial}\nFichier : {file}, version {number}\nCommentaire : {comment}\n',
  'submission.subject': '{trial} : « {form} », participant {participant}',
  'submission.attention': 'Des réponses demandent votre attention.',
  'submission.about': '\n\nÉtude : {trial}\nParticipant : {participant}\nFormulaire : {form}\n',
  'queryAssigned.subject.one': '{trial} : une question (query) pour vous',
  'queryAssigned.subject.other': '{trial} : {count} questions (queries) pour vous',
  'queryMessage.subject': '{trial} : un nouveau message au sujet d’une question (query)',
  'query.study': 'Étude : {trial}\n',
  'query.form': 'Participant {participant}, formulaire « {form} »\n',
  'query.unallocated': 'Réponse non encore attribuée, formulaire « {form} »\n',
  'incentivesWait.subject': '{trial} : des paiements aux participants sont en attente',
  'incentivesWait.body':
    'Des paiements pour un formulaire rempli sont en attente, car le portefeuille ou les codes sont épuisés. Ils seront faits dès qu’il y en aura de nouveau.\n\nÉtude : {trial}\nMarque : {brand}\nMontant : {amount}\n',
  'giftCardRefused.subject': '{trial} : la passerelle a refusé une carte cadeau',
  'giftCardRefused.body':
    'La passerelle a refusé une carte cadeau pour un participant. Le montant est de nouveau dans le portefeuille, et le participant n’a rien reçu. Corrigez la cause indiquée et accordez la carte de nouveau. Ce message est envoyé une fois par jour et par marque : la liste des incitations contient toutes celles qui ont échoué.\n\nÉtude : {trial}\nMarque : {brand}\nMontant : {amount}\n{reason}\n',
  'newMessage.subject': '{trial} : un message du participant {participant}',
  'newMessage.body': 'Étude : {trial}\nParticipant : {participant}\n',
  'heldEntries.subject.one': '{trial} : une réponse attend une décision',
  'heldEntries.subject.other': '{trial} : {count} réponses attendent une décision',
  'heldEntries.body':
    'L’étude n’a pas pu les accepter telles quelles, par exemple parce que le formulaire était fermé. Elles attendent que l’équipe les saisisse ou les refuse.\n\nÉtude : {trial}\nParticipants : {participants}\n',
  ...blindingTexts,
  'siteMessages.subject.one': '{trial} : nouveaux messages au tableau de {sites}',
  'siteMessages.subject.other': '{trial} : nouveaux messages aux tableaux de {count} centres',
  'siteMessages.body': 'Étude : {trial}\nCentres : {sites}\n',

  'webhookDisabled.subject': '{trial} : le webhook « {webhook} » est désactivé',
  'webhookDisabled.failing':
    'Étude : {trial}\n\nRien n’a pu être remis au webhook « {webhook} » pendant cinq jours. Il est donc désactivé : son destinataire n’est plus informé des événements. Le journal des envois en donne la raison. Quand le destinataire fonctionnera de nouveau, activez le webhook et faites-lui envoyer ce qui a été manqué.\n',
  'webhookDisabled.gone':
    'Étude : {trial}\n\nLe destinataire du webhook « {webhook} » a répondu qu’il n’existe plus (410). Le webhook est donc désactivé : le destinataire n’est plus informé des événements. S’il s’agit d’une erreur, activez de nouveau le webhook.\n',
  'appointment.staff.invitation.subject': '{trial} : un rendez-vous vidéo avec un participant',
  'appointment.staff.reminder.subject': '{trial} : rappel d’un rendez-vous',
  'appointment.staff.moved.subject': '{trial} : un rendez-vous a été déplacé',
  'appointment.staff.cancelled.subject': '{trial} : un rendez-vous est annulé',
  'appointment.staff.body': 'Étude : {trial}\nParticipant : {participant}\nRendez-vous : {title}\nHeure : {when}\n',
  'appointment.staff.join': 'Participer : {url}\n',
  'calendar.closes': '{name} se ferme',
  'calendar.more.meeting': 'Autres rendez-vous vidéo : voir le calendrier de l’étude',
  'calendar.more.event': 'Autres rendez-vous : voir le calendrier de l’étude',
  'calendar.more.task': 'Autres tâches : voir le calendrier de l’étude',
  'calendar.more.window': 'Autres échéances : voir le calendrier de l’étude',
  'calendar.more.visit': 'Autres visites : voir le calendrier de l’étude',

  'automaticQuery.unit':
    '« {name} » vaut {value}. La valeur a peut-être été saisie {slip}. Merci de vérifier la valeur dans les données sources.',
  'automaticQuery.participantRange':
    '« {name} » vaut {value}, ce qui est très éloigné des valeurs précédentes de ce participant. Merci de vérifier la valeur dans les données sources.',
  'automaticQuery.trialRange':
    '« {name} » vaut {value}, ce qui est très éloigné des valeurs habituelles dans cette étude. Merci de vérifier la valeur dans les données sources.',
  'automaticQuery.higher':
    '« {name} » est supérieur à « {other} ». Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.denied':
    'La réponse à « {name} » est non, mais « {other} » indique le contraire. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.changed':
    'La réponse à « {name} » était différente auparavant. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.before':
    '« {name} » est antérieur à « {other} ». Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.beforeBirth':
    '« {name} » est antérieur à la naissance. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.afterDeath':
    '« {name} » est postérieur au décès. Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.beforeEarlier':
    '« {name} » est antérieur à la réponse d’une occurrence précédente ({occurrence}). Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.afterLater':
    '« {name} » est postérieur à la réponse d’une occurrence suivante ({occurrence}). Merci de vérifier les deux réponses dans les données sources.',
  'automaticQuery.constraint': '{constraint} Merci de vérifier la réponse dans les données sources.',
  'automaticQuery.rule':
    '« {name} » : la réponse ne respecte pas la règle {rule}. Merci de vérifier la réponse dans les données sources.',
  'automaticQuery.instruction':
    '{names} : les réponses sont contraires à la règle « {rule} » de cette étude. Merci de les vérifier dans les données sources.',
  'automaticQuery.height': '{name} (taille)',
  'automaticQuery.weight': '{name} (poids)',
  'automaticQuery.slip.pounds': 'en livres au lieu de kilogrammes',
  'automaticQuery.slip.kilograms': 'en kilogrammes au lieu de livres',
  'automaticQuery.slip.inches': 'en pouces au lieu de centimètres',
  'automaticQuery.slip.centimetres': 'en centimètres au lieu de pouces',
  'automaticQuery.slip.fahrenheit': 'en °F au lieu de °C',
  'automaticQuery.slip.celsius': 'en °C au lieu de °F',
  'automaticQuery.slip.milligrams': 'en mg/dL au lieu de mmol/L',
  'automaticQuery.slip.millimoles': 'en mmol/L au lieu de mg/dL',
  'automaticQuery.slip.tenLarge': 'dix fois trop grande',
  'automaticQuery.slip.tenSmall': 'dix fois trop petite',
  'automaticQuery.slip.hundredLarge': 'cent fois trop grande',
  'automaticQuery.slip.hundredSmall': 'cent fois trop petite',
  'automaticQuery.slip.thousandLarge': 'mille fois trop grande',
  'automaticQuery.slip.thousandSmall': 'mille fois trop petite',

  ...consentTexts,
  ...siteTexts,
  ...masterFileTexts,
  'report.title': 'Les données que nous conservons à votre sujet',
  'report.intro':
    'Voici tout ce que l’étude « {trial} » conserve au sujet du participant {participant}, à la date du {date}. Le fichier report.json contient les mêmes données sous une forme lisible par un ordinateur.',
  'report.unprintable':
    'Certains caractères ne peuvent pas être imprimés et sont remplacés par □. Ils se trouvent dans les fichiers report.html et report.json.',
  'report.erased': 'Les informations personnelles ont été effacées le {date}. Les données de l’étude sont conservées.',
  'report.person': 'Informations personnelles',
  'report.field.id': 'Numéro de participant',
  'report.field.createdAt': 'Inscription',
  'report.field.name': 'Nom',
  'report.field.dob': 'Date de naissance',
  'report.field.email': 'Adresse e-mail',
  'report.field.phone': 'Téléphone',
  'report.field.whatsapp': 'Numéro WhatsApp',
  'report.field.sites': 'Centres',
  'report.field.groups': 'Groupes',
  'report.answers': 'Réponses',
  'report.deletedForm': 'Supprimé : {form}',
  'report.status': 'Résultat : {status}',
  'report.score': 'Score : {score}',
  'report.changes': 'Versions précédentes et modifications',
  'report.files': 'Fichiers envoyés',
  'report.records': 'Autres enregistrements',
  'report.records.messages': 'Messages échangés',
  'report.records.notes': 'Remarques de l’équipe',
  'report.records.foodDiary': 'Journal alimentaire',
  'report.records.appointments': 'Rendez-vous',
  'report.records.queries': 'Questions de l’équipe (queries)',
  'report.records.signatures': 'Signatures et vérifications',
  'report.records.tasks': 'Tâches de l’équipe',
  'report.records.drafts': 'Brouillons',
  'report.records.memberships': 'Centres et groupes',
  'report.records.schedule': 'Calendrier',
  'report.records.reminders': 'Rappels et notifications',
  'report.records.access': 'Connexions et liens',
  'report.records.others': 'Enregistrements techniques',
  'report.log': 'Ce qui a été fait, quand et par qui',

  'packLog.title': 'Comptabilité des conditionnements',
  'packLog.place.site': 'Centre {site}',
  'packLog.concealed': 'Type masqué',
  'packLog.place.trial': 'Niveau de l’essai',
  'packLog.balanced': 'Le devenir de chaque conditionnement est connu.',
  'packLog.unbalanced': 'Les comptes ne sont pas équilibrés : {count} conditionnements manquent.',
  'packLog.received': 'reçus',
  'packLog.movedIn': 'entrés',
  'packLog.movedOut': 'sortis',
  'packLog.inStock': 'en stock',
  'packLog.quarantined': 'en quarantaine',
  'packLog.dispensed': 'dispensés',
  'packLog.returned': 'retournés',
  'packLog.lost': 'perdus',
  'packLog.damaged': 'endommagés',
  'packLog.destroyed': 'détruits',
  'packLog.moved': 'transféré',
  'packLog.unitsReturned': 'unités retournées',
  'packLog.column.pack': 'Conditionnement',
  'packLog.column.batch': 'Lot',
  'packLog.column.expires': 'Péremption',
  'packLog.column.received': 'Réception',
  'packLog.column.participant': 'Participant(e)',
  'packLog.column.dispensed': 'Dispensation',
  'packLog.column.returned': 'Retour',
  'packLog.column.end': 'État',
  'packLog.otherArm': 'pas de ce bras',
  'packLog.signature': 'Vérifié par (nom, date, signature) :',
  'packLog.unprintable':
    'Certains caractères ne peuvent pas être imprimés et sont remplacés par □. Le fichier csv les contient.',

  ...deletionTexts,
  ...accountTexts,
}
