#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The conversation of runner and workload (docs/workload-interface.md), with this script as the runner.
use strict;
use warnings;
use Fcntl;
use File::Temp qw(tempdir);
use Socket;
use Time::HiRes qw(clock_gettime sleep CLOCK_MONOTONIC);

my $build = ($ENV{BUILD} // 'build') . '/workloads';
my $dir = tempdir(CLEANUP => 1);
my ($n, $pid, $runner) = (0);
$SIG{ALRM} = sub { kill 'KILL', $pid if $pid; die "timeout\n" };
$SIG{PIPE} = 'IGNORE';
alarm 120;

sub report {
	my ($ok, $name) = @_;
	$n++;
	print $ok ? "ok $n - $name\n" : "not ok $n - $name\n";
	if (!$ok && open my $file, '<', "$dir/err") { print "# $_" while <$file> }
}

sub now_ns { return int(clock_gettime(CLOCK_MONOTONIC) * 1e9) }

sub start {
	my ($program, @options) = @_;
	socketpair($runner, my $end, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die "socketpair: $!";
	$runner->autoflush(1);
	$pid = fork // die "fork: $!";
	if (!$pid) {
		close $runner;
		fcntl $end, F_SETFD, 0;
		open STDERR, '>', "$dir/err";
		open STDOUT, '>', "$dir/out";
		exec "$build/$program", '--sync-fd', fileno($end), @options or exit 99;
	}
	close $end;
}

sub finish {
	waitpid $pid, 0;
	my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
	undef $pid;
	return $status;
}

sub children { # of the process
	my ($parent) = @_;
	my @found;
	for my $stat (glob '/proc/[0-9]*/stat') {
		open my $file, '<', $stat or next;
		my $line = <$file> // next;
		push @found, $1 if $line =~ /^(\d+) \(.*\) [^Z] (\d+)/ && $2 == $parent;
	}
	return @found;
}

sub metric {
	my ($name) = @_;
	open my $file, '<', "$dir/files/metrics.tsv" or return;
	while (<$file>) {
		chomp;
		my @cell = split /\t/;
		return $cell[3] if $cell[0] eq $name;
	}
	return;
}

sub contents {
	my ($path) = @_;
	open my $file, '<', $path or return '';
	local $/;
	return <$file> // '';
}

# The window, for every workload.
for my $program ('ping-pong', 'idle') {
	my @cpus = $program eq 'idle' ? () : ('--cpus', '0');
	start($program, @cpus, '--output', "$dir/files");
	my $line = <$runner> // '';
	report($line eq "ready\n", "$program: ready");
	my @tasks = children($pid);
	report(@tasks == ($program eq 'idle' ? 0 : 2), "$program: its tasks exist by then");
	my $t0 = now_ns() + 50_000_000;
	my $t1 = $t0 + 400_000_000;
	print $runner "go $t0 $t1\n";
	$line = <$runner> // '';
	my $late = now_ns() - $t1;
	report($line eq "done $t1\n" && $late > 0, "$program: done with T1, after it");
	report(!defined(<$runner>), "$program: says nothing more");
	report(finish() == 0, "$program: status 0");
	report(!grep({ kill 0, $_ } @tasks), "$program: no task is left");
	report(contents("$dir/err") eq '' && contents("$dir/out") eq '', "$program: prints nothing");
	if ($program eq 'ping-pong') {
		my $span = metric('loops') * metric('loop_us') / 1e6;
		report($span <= 0.4 && $span > 0.3, "$program: loops fill the window");
		my @ends = map { /^(\d+)\t/ ? $1 : () } split /\n/, contents("$dir/files/series.tsv");
		report(@ends >= 9 && !grep({ $_ <= $t0 || $_ > $t1 } @ends),
			"$program: blocks end inside of the window");
	} else {
		report(metric('window_s') == 0.4, "$program: its window");
	}
}

# A-16: every workload of the table, as the runner meets it. Its tasks exist and are bound when it says ready, none is
# made in the window (a child is what fork-chain and command are about), and the window is the one that was asked for.
sub tasks { # threads of the process and of its children
	my ($parent) = @_;
	my @found = map { glob "/proc/$_/task/*" } $parent, children($parent);
	return scalar @found;
}

open my $table, '<', 'workloads/workloads.def' or die "workloads.def: $!";
for my $program (map { /^WORKLOAD\((\w+)\)/ ? $1 =~ tr/_/-/r : () } <$table>) {
	start($program, $program eq 'command' ? ('--command', 'sleep 30') : (), '--output', "$dir/files");
	my $line = <$runner> // '';
	my $ready = tasks($pid);
	my $t0 = now_ns() + 100_000_000;
	my $t1 = $t0 + 500_000_000;
	print $runner "go $t0 $t1\n" if $line eq "ready\n";
	sleep 0.3;
	my $during = tasks($pid);
	report($ready == $during || $program =~ /^(fork-chain|command)$/,
		"A-16: $program: $ready tasks when it is ready, $during in the window");
	$line = <$runner> // '';
	my $now = now_ns();
	my ($end) = $line =~ /^done (\d+)\n$/;
	report(defined $end && ($program eq 'command' ? $end >= $t1 : $end == $t1) && $now > $t1,
		"A-16: $program: its window is the runner's, and is over when it says done");
	report(finish() == 0 && contents("$dir/err") eq '' && !children($$), "A-27: $program: no task is left");
}

# Loops instead of a window.
start('ping-pong', '--cpus', '0', '--loops', '2000', '--output', "$dir/files");
<$runner>;
my $t0 = now_ns() + 20_000_000;
print $runner "go $t0 0\n";
my $line = <$runner> // '';
my ($t1) = $line =~ /^done (\d+)\n$/;
report(defined $t1 && $t1 > $t0 && $t1 < now_ns(), 'loops: done with the real end');
report(finish() == 0 && metric('loops') == 2000, 'loops: all counted');
report($t1 - $t0 >= 1000 * 2000 * metric('mean_us') * 0.999, 'loops: none before T0');

# T0 already over: no warm-up, and it says so.
start('ping-pong', '--cpus', '0', '--output', "$dir/files");
<$runner>;
$t0 = now_ns() - 1000;
printf $runner "go %d %d\n", $t0, $t0 + 200_000_000;
<$runner>;
report(finish() == 0 && contents("$dir/err") =~ /no warm-up/, 'T0 in the past: a message');

# What is not the protocol.
for my $case (["go 1\n", 'instead of'], ["go 5 4\n", 'not after'], ["hello\n", 'instead of'],
	["go 1 0\n", 'no --loops']) {
	my ($text, $want) = @$case;
	start('ping-pong', '--cpus', '0');
	<$runner>;
	my @tasks = children($pid);
	print $runner $text;
	my $status = finish();
	chomp $text;
	report($status == 1 && contents("$dir/err") =~ /$want/ && !grep({ kill 0, $_ } @tasks),
		"'$text': status 1, nothing left");
}
start('ping-pong', '--cpus', '0', '--loops', '10');
<$runner>;
printf $runner "go %d %d\n", now_ns(), now_ns() + 1e9;
report(finish() == 1, 'T1 beside --loops: status 1');

# The runner goes away: before go, while it runs, and killed.
for my $when ('before go', 'while it runs') {
	for my $task ('process', 'thread') {
		start('ping-pong', '--cpus', '0', '--cores', '4', '--task', $task);
		<$runner>;
		my @tasks = children($pid);
		if ($when ne 'before go') {
			printf $runner "go %d %d\n", now_ns(), now_ns() + 60e9;
			sleep 0.1;
		}
		close $runner;
		my $status = finish();
		report($status == 1 && contents("$dir/err") =~ /closed the connection/ &&
				!grep({ kill 0, $_ } @tasks), "EOF $when, $task: status 1, nothing left");
	}
}
start('idle');
<$runner>;
printf $runner "go %d %d\n", now_ns(), now_ns() + 60e9;
close $runner;
report(finish() == 1, 'EOF, idle: status 1');

# A runner that speaks out of turn.
start('ping-pong', '--cpus', '0');
<$runner>;
printf $runner "go %d %d\nmore\n", now_ns(), now_ns() + 60e9;
report(finish() == 1 && contents("$dir/err") =~ /nothing was due/, 'more than go: status 1');
print "1..$n\n";
