#!/usr/bin/env bash
# Each of these edits weakens what is proved, and must be noticed by the step of `make` beside it. In a copy; some minutes each.
set -euo pipefail
cd "$(dirname "$0")"
copy=../target/sabotages
rm -rf "$copy" && mkdir -p ../target && cp -a . "$copy"
trap 'rm -rf "$copy"' EXIT

# file, Perl's substitution, step, and what it says
try() {
    perl -0pi -e "$2" "$copy/$1"
    cmp -s "$1" "$copy/$1" && { echo "$2 does not change $1"; exit 1; }
    if make -C "$copy" "$3" > "$copy/said.txt" 2>&1 || ! grep -qE -- "$4" "$copy/said.txt"; then
        cat "$copy/said.txt"
        echo "MISSED: $2 in $1"
        exit 1
    fi
    echo "noticed by $3: $2 in $1"
    cp -p "$1" "$copy/$1"
    touch "$copy/$1"
}

try transformations/count.v 's/Qed\.(?!.*Qed)/Admitted./s' complete Admitted
try transformations/count.v 's/\z/\nAxiom wrong : 0 = 1.\n/' complete Axiom
try transformations/count.v 's/\z/\nAxioms wrong : 0 = 1.\n/' complete Axioms
try transformations/count.v 's/\z/\nUnset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n/' complete Guard
try transformations/count.v 's/(Theorem make_count_stable).*?Qed\./$1 : True. Proof. exact I. Qed./s' statements make_count_stable
try transformations/count.v 's/(?=Theorem make_count_stable)/Local Notation "x <= y" := (x <= y + 9).\n/' statements '\+ 9'
try transformations/count.v 's/else INR d/else 2 * INR d + 100/' definitions '\+ 100'
# A metric that is another one, in what all theorems share. Where proofs break, compiling notices.
try theory/Dataset.v 's/\| SymmetricDistance => symmetric/| SymmetricDistance => insert_delete/' definitions '=> @Dataset.insert_delete|Error 1'
try theory/Dataset.v 's/\| _, _ => 2 end/| _, _ => 3 end/' definitions '3%nat|count_individuals_by.vo\] Error 1'
# Chains: what a map promises, of whom, and where a step leads.
try combinators/chain.v "s/far d' \(f x\) \(f x'\)\./far d' (f x) (f x') \\\\\/ x = x'./" definitions "x = x'|Error 1"
try combinators/chain.v "s/\(forall x, member from x -> member to \(f x\)\) \/\\\\ //" definitions 'Error 1'
try combinators/chains.v 's/has_size size x \/\\ //' definitions 'Error 1'
try combinators/chains.v 's/\(fun k => In k ks\)/(fun k => False)/' statements 'False'
# L1, and how many entries of a list count.
try theory/Totals.v 's/l1 m u \+ Rabs \(u m\) end/l1 m u + Rabs (u m) \/ 2 end/' definitions 'Error 1'
try theory/Totals.v 's/N \(length xs\) \(vminus/N (pred (length xs)) (vminus/' definitions 'Error 1'
# Compositions: a constant in what losses add up to, a theorem on mixtures that says nothing, and a mixture of one law only.
try combinators/composition.v 's/fold_right Rplus 0 losses/fold_right Rplus 1 losses/' definitions 'Error 1'
try combinators/composition.v 's/(Corollary make_composition_approximate_gaussian_divergence).*?Qed\./$1 : True. Proof. exact I. Qed./s' statements make_composition_approximate_gaussian
try theory/Measures.v "s/mixture del Q Q' Q'' \/\\\\ //" definitions 'Error 1'
