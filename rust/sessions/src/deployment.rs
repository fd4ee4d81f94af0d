//! Certificates as entries of the public registry of deployments.

use crate::{
    certificate::Certificate,
    error::{Error, Fallible},
};
use indistinct::plans::FrameMeasurement;
use indistinct_ledger::{Amount, Loss, Measure};
use serde_json::{Map, Value, json};

/// Fields of the registry that no certificate contains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Product {
    /// The name of what is published.
    pub name: String,
    /// The publisher.
    pub curator: String,
    /// The intended use.
    pub intended_use: String,
    /// The region that it covers.
    pub region: String,
    /// Its sector, such as health.
    pub sector: String,
    /// The date of publication, as `2026-11-23`.
    pub date: String,
    /// The reason for the choice of parameters.
    pub justification: String,
}

impl Certificate {
    /// Returns an entry of the registry of deployments (registry.opendp.org), tier 3, with the names of its schema, as
    /// JSON, which is also YAML. Fields that `product` leaves empty come from the certificate, or are marked as
    /// missing.
    ///
    /// # Errors
    ///
    /// Returns an error if the certificate's plan or loss cannot be read.
    pub fn deployment(&self, product: &Product) -> Fallible<Value> {
        let loss: Loss = self.loss.parse()?;
        let domain = FrameMeasurement::from_json(&self.plan)?.input_space().0;
        let names = self.measure.split('+');
        let numbers = loss.numbers().iter().map(|number| Value::from(printed(number)));
        let parameters: Map<String, Value> = names.map(str::to_owned).zip(numbers).collect();
        let flavor = match loss.measure() {
            Measure::Epsilon => "Pure DP",
            Measure::EpsilonDelta => "Approximate DP",
            Measure::Rho => "Zero-concentrated DP",
            Measure::Renyi { .. } => "Renyi DP",
            _ => return Err(Error::Certificate("the registry has no name for its measure".into())),
        };
        let given = |text: &str| if text.is_empty() { "to be filled in".to_owned() } else { text.to_owned() };
        let or = |text: &str, said: &str| if text.is_empty() { given(said) } else { given(text) };
        let mechanisms: Vec<String> = mechanisms(&self.steps);
        Ok(json!({
            "status": "Draft",
            "tier": 3,
            "deployment": {
                "product": {
                    "name": given(&product.name),
                    "data_curators": [or(&product.curator, &self.about.body)],
                    "intended_use": or(&product.intended_use, &self.about.purpose),
                    "data_product_type": "Summary statistics",
                    "data_product_region": given(&product.region),
                    "data_product_sector": given(&product.sector),
                    "publication_date": or(&product.date, &self.date),
                    "description": format!("release {:?} of table {:?}", self.name, self.table),
                },
                "dp_flavor": {
                    "name": flavor,
                    "input_metric": self.unit,
                    "output_measure": self.measure,
                    "bound_on_output_distance": loss.to_string(),
                    "data_domain": format!("{domain:?}"),
                    "unprotected_quantities": self.not_protected.join("; "),
                },
                "privacy_loss": {
                    "privacy_unit": self.unit,
                    "privacy_unit_description": format!("data sets that differ by {}, in table {:?} among others of the same ledger", self.unit, self.table),
                    "privacy_parameters": parameters,
                },
                "model": {
                    "model_name": "Central",
                    "release_type": "Many releases",
                    "release_type_description": format!("of a budget of {}, {} had been spent after this release", words(&self.budget.total)?, words(&self.budget.after)?),
                    "data_source_type": "Static",
                    "access_type": "Non-interactive",
                },
                "accounting": {
                    "post_processing": "statistics and intervals are computed from the noisy numbers alone",
                    "composition": "losses of all releases of the ledger add up exactly, each charged before it is made (a privacy filter)",
                },
                "implementation": {
                    "pre_processing_eda_hyperparameter_tuning": "all bounds and keys are public numbers of the plan",
                    "mechanisms": mechanisms.join("; "),
                    "justification": given(&product.justification),
                },
                "resources": {
                    "sources": format!("{} {}, indistinct {}; plan {}", self.program.name, self.program.version, self.program.library, self.plan_hash),
                },
            },
        }))
    }
}

/// Returns the float that prints as the amount; for an amount with more digits than a float, a float that is not below
/// it.
fn printed(amount: &Amount) -> f64 {
    let near = amount.to_f64();
    if Amount::try_from(near).is_ok_and(|written| written == *amount) { near } else { amount.to_f64_up() }
}

/// Returns a loss in words.
fn words(text: &str) -> Fallible<String> {
    Ok(text.parse::<Loss>()?.to_string())
}

/// Returns the names of the steps, including nested ones, each once.
fn mechanisms(steps: &Value) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![steps];
    while let Some(value) = open.pop() {
        for step in value.as_array().into_iter().flatten() {
            if let Some(name) = step.get("name").and_then(Value::as_str) {
                let name = name.to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            open.extend(step.get("children"));
        }
    }
    names
}
