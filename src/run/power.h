/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session's energy source: opened, judged, described. */
#ifndef RUN_POWER_H
#define RUN_POWER_H

struct energy;
struct session;

/*
 * Opens what --power-source and --no-power ask for and tries it for a second (P-10); no counter is
 * no error. Usage error for an unknown source, for a window too short for energy (P-12) and for an
 * interval in which a counter could wrap unseen (P-02).
 */
int power_open(struct session *session);

void power_close(struct session *session);

/* Two readings a second apart, and energy_vet() on them (P-10). Takes that second. -ENOMEM. */
int power_vet(struct energy *energy);

#endif
